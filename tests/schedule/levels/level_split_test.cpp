// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_split.h"

#include <gtest/gtest.h>

namespace helio::schedule {
namespace {

Capabilities with(double injection) {
  Capabilities capabilities;
  capabilities.injection = capabilities.ejection = BitRate{injection};
  return capabilities;
}

// 8 bits a second a rank below, 1 byte: a message below takes 1/8 s of the unit's 8 ranks. Above 32: 1/4 s a message. 64 units.
//     1/8 · 2 (8 - p) = 1/4 (2 p - 1/32)   ─▶   p = (2 + 1/128) / (3/4), and (p - 1) / 7 of the vector above first
TEST(LevelSplit, BothLevelsAreBusyAllTheTime) {
  const LevelSplit split = best_split(Bytes{1}, {.units = 64, .ranks = 8}, with(8), with(32));
  const double sent = (2 + 1.0 / 128) / 0.75;
  EXPECT_NEAR(split.seconds, (8 - sent) / 4, 1e-12);
  EXPECT_NEAR(split.above_first, (sent - 1) / 7, 1e-12);
}

// Above 1/100 of that: a sum of a unit takes longer than all there is below.
TEST(LevelSplit, NothingGoesUpUnsummedWhereThatBinds) {
  const LevelSplit split = best_split(Bytes{1}, {.units = 64, .ranks = 8}, with(8), with(0.32));
  EXPECT_EQ(split.above_first, 0);
  EXPECT_NEAR(split.seconds, 14.0 / 8, 1e-12);  // 2 · 7 messages
}

// A level that averages 8-bit codes of 32: P passages of 1/4 byte, 1/16 s each, leave 15 - P messages below: (15 - P) / 8 = P / 16.
// Where codes travel below, too, copies are a quarter: for P up to 8 there are 8 - P + 7/4 left, and those meet at P = 6.5.
TEST(LevelSplit, AnAveragerHandsOutOneSumAtATime) {
  Capabilities above = with(32);
  above.reduces = above.multicasts = true;
  above.least_wire_factor = 0.25;
  above.averaging = AveragingCascade{AveragingTask{}};
  const LevelSplit numbers = best_split(Bytes{1}, {.units = 16, .ranks = 8}, with(8), above);
  EXPECT_NEAR(numbers.seconds, 10.0 / 16, 1e-12);
  EXPECT_NEAR(numbers.above_first, 9.0 / 14, 1e-12);
  const LevelSplit codes = best_split(Bytes{1}, {.units = 16, .ranks = 8, .copies = 0.25}, with(8), above);
  EXPECT_NEAR(codes.seconds, 6.5 / 16, 1e-12);
}

}  // namespace
}  // namespace helio::schedule
