// SPDX-License-Identifier: Apache-2.0
// What a reader says of a wrong input.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace helio::workload {

template <class Read>
Error error_of(Read read) {
  try {
    read();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "it was accepted";
  return Error(ErrorKind::kUsage, "");
}

// One wrong input: where it is wrong, and a part of the sentence.
struct Refused {
  std::string text, place, part;
};

template <class Read>
void expect_refused(const Refused& refused, Read read) {
  const Error error = error_of(read);
  EXPECT_EQ(error.kind(), ErrorKind::kInput) << refused.text;
  EXPECT_EQ(error.place(), refused.place) << error.what() << "\n" << refused.text;
  EXPECT_NE(std::string(error.what()).find(refused.part), std::string::npos) << error.what() << "\n" << refused.text;
  EXPECT_FALSE(error.advice().empty()) << error.what();
}

}  // namespace helio::workload
