// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_range.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::emulate {
namespace {

// Of the codes 0 to 255, 128 has 128 below and 127 above it; 150 has 150 and 105; 1 has 1 and 254. A bit has the codes 0 and 1.
TEST(CodeRange, BothSides) {
  EXPECT_EQ(range_of(8, {}).zero, 128);
  EXPECT_EQ(range_of(8, {}).steps(), 127);
  EXPECT_EQ(range_of(8, {}).reach(), 128);
  EXPECT_EQ(range_of(8, 150).steps(), 105);
  EXPECT_EQ(range_of(8, 150).reach(), 150);
  EXPECT_EQ(range_of(8, 1).steps(), 1);
  EXPECT_EQ(range_of(8, 1).reach(), 254);
  EXPECT_EQ(range_of(1, {}).zero, 1);
  EXPECT_EQ(range_of(1, {}).steps(), 0);
}

TEST(CodeRange, AnEndIsNoZero) {
  for (const auto& [bits, zero] : {std::pair(8, 0u), {8, 255u}, {8, 256u}, {1, 0u}, {1, 1u}})
    EXPECT_THROW(range_of(bits, zero), Error) << zero;
  EXPECT_EQ(range_of(2, 2u).most, 1);
}

}  // namespace
}  // namespace helio::emulate
