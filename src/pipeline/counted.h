// SPDX-License-Identifier: Apache-2.0
// How many of what, in words: "1 rank", "2 ranks", "1 mesh", "2 meshes".
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace helio::pipeline {

// `many` where an s does not make it.
template <class Count>
std::string counted(Count count, std::string_view one, std::string_view many = {}) {
  if (count == 1) return fmt::format("{} {}", count, one);
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

}  // namespace helio::pipeline
