// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/compression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace helio::fabric {
namespace {

TEST(Compression, WhatAVectorWeighs) {
  EXPECT_EQ((Compression{}.factor(1)), 1);
  // 8 of 16 bits, however many were added
  const Compression fp8{.format = schedule::WireFormat::kFp8};
  EXPECT_EQ(fp8.factor(1), 0.5);
  EXPECT_EQ(fp8.factor(20), 0.5);
  // 1 % of the elements, each 2 + 4 bytes in place of 2: 3 %; four contributions keep at most four times as many
  const Compression top{.format = schedule::WireFormat::kTopK, .keep = 0.01};
  EXPECT_DOUBLE_EQ(top.factor(1), 0.03);
  EXPECT_DOUBLE_EQ(top.factor(4), 0.12);
  // Never more than the dense vector: 40 contributions would weigh 120 %
  EXPECT_EQ(top.factor(40), 1);
  // A bit for each of 16: half of the elements weigh 1/2 + 1/16, and all of them no more than 1
  const Compression half{.format = schedule::WireFormat::kTopK, .keep = 0.5, .bitmap = true};
  EXPECT_DOUBLE_EQ(half.factor(1), 0.5625);
  EXPECT_EQ(half.factor(2), 1);
}

// Within ±1 of a normal deviate are 68.27 % of them, with a mean square of 0.6827 - 2 · 0.24197 = 0.19875 of the whole 1: an error of
// 0.4458 keeps 31.73 %. Small errors: left is √(2/π) t³/3, so 0.1² means t = 0.335 (0.338 with the next term), which keeps 73.5 %.
TEST(Compression, AnErrorBoundSaysHowManyAreKept) {
  EXPECT_NEAR(keep_for(std::sqrt(0.198748)), 0.317311, 1e-5);
  EXPECT_NEAR(keep_for(0.1), 0.735, 0.003);
  EXPECT_GT(keep_for(0.01), 0.9);
  EXPECT_LT(keep_for(0.98), 0.01);
}

TEST(Compression, BothEndsTakeTime) {
  const Time each = Time::nanoseconds(100);
  EXPECT_EQ((Compression{.format = schedule::WireFormat::kFp8, .codec_delay = each}.delay()), Time::nanoseconds(200));
  EXPECT_EQ((Compression{.codec_delay = each}.delay()), Time());  // nothing to do
}

}  // namespace
}  // namespace helio::fabric
