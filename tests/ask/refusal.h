// SPDX-License-Identifier: Apache-2.0
// How a question is refused, seen by a caller of the library.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "base/error.h"

namespace helio::ask {

// What was thrown. Fails where nothing is.
inline std::optional<Error> refusal(const std::function<void()>& question) {
  try {
    question();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "it was not refused";
  return std::nullopt;
}

// A front end that calls fields by other names.
inline std::string shouted(std::string_view field) { return "<" + std::string(field) + ">"; }

}  // namespace helio::ask
