// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/compression.h"

#include <gtest/gtest.h>

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
}

TEST(Compression, BothEndsTakeTime) {
  const Time each = Time::nanoseconds(100);
  EXPECT_EQ((Compression{.format = schedule::WireFormat::kFp8, .codec_delay = each}.delay()), Time::nanoseconds(200));
  EXPECT_EQ((Compression{.codec_delay = each}.delay()), Time());  // nothing to do
}

}  // namespace
}  // namespace helio::fabric
