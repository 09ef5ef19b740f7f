// SPDX-License-Identifier: Apache-2.0
#include "base/averaging.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace helio {
namespace {

AveragingTask task_of(int servers, int bits, int merge = 1) {
  AveragingTask task;
  task.servers = servers;
  task.bits = bits;
  task.merge = merge;
  return task;
}

// 4 servers: 5/4 = 1.25, 6/4 = 1.5 and 10/4 = 2.5 tell the rules apart.
TEST(Averaging, RoundsByTheRule) {
  AveragingTask task = task_of(4, 8);
  const auto averages = [&](Rounding rounding) {
    task.rounding = rounding;
    return std::vector<std::int64_t>{task.average(5), task.average(6), task.average(10), task.average(11)};
  };
  EXPECT_EQ(averages(Rounding::kFloor), (std::vector<std::int64_t>{1, 1, 2, 2}));
  EXPECT_EQ(averages(Rounding::kHalfUp), (std::vector<std::int64_t>{1, 2, 3, 3}));
  EXPECT_EQ(averages(Rounding::kHalfEven), (std::vector<std::int64_t>{1, 2, 2, 3}));
  // ⌊(6 + t)/4⌋ for t = 0..3 is 1 1 2 2: 1.5 on average.
  task.rounding = Rounding::kDither;
  std::int64_t sum = 0;
  for (int t = 0; t < 4; ++t) sum += task.average(6, t);
  EXPECT_EQ(sum, 6);
}

// Half-up has a mean bias of +1/(2N) for even N when T mod N is uniform (2.2); half-even, floor and dither: 0, −(N−1)/(2N), 0.
TEST(Averaging, BiasesAreThoseOfTheRules) {
  for (const auto& [rounding, bias] : std::vector<std::pair<Rounding, double>>{{Rounding::kHalfUp, 1.0 / 8},
                                                                               {Rounding::kHalfEven, 0.0},
                                                                               {Rounding::kFloor, -3.0 / 8},
                                                                               {Rounding::kDither, 0.0}}) {
    AveragingTask task = task_of(4, 8);
    task.rounding = rounding;
    double sum = 0;
    for (int total = 0; total < 800; ++total)  // whole periods of the rules: 8
      for (int t = 0; t < 4; ++t) sum += static_cast<double>(task.average(total, t)) - total / 4.0;
    EXPECT_NEAR(sum / 3200, bias, 1e-12) << name_of(rounding);
  }
}

// Fractions: level 1 of a 4×4 cascade keeps one symbol, so T/4 in quarters is T; level 2 gets quarters: T/16 in whole codes.
TEST(Averaging, FractionsScaleTheAverage) {
  AveragingTask level1 = task_of(4, 8), level2 = task_of(4, 8);
  level1.out_fraction = 1;
  level2.in_fraction = 1;
  EXPECT_EQ(level1.outputs(), 5);
  EXPECT_EQ(level2.inputs(), 5);
  EXPECT_EQ(level1.average(1019), 1019);
  EXPECT_EQ(level2.average(23), 1);  // 23/16 = 1.44
  EXPECT_EQ(level2.average(24), 2);  // 1.5
  // All 5 symbols of all servers at their top: 4092/16 = 255.75 rounds to 256, which 4 symbols cannot hold.
  EXPECT_EQ(level2.average(4092), 255);
  EXPECT_EQ(level2.numerator(), 1);
  EXPECT_EQ(level2.denominator(), 16);
  EXPECT_EQ(level1.denominator(), 1);  // 4/4
}

TEST(Averaging, RefusesWhatMakesNoSense) {
  const auto message = [](AveragingTask task) -> std::string {
    try {
      task.check();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_NE(message(task_of(0, 8)).find("0 servers"), std::string::npos);
  EXPECT_NE(message(task_of(4, 0)).find("0 bits"), std::string::npos);
  EXPECT_NE(message(task_of(4, 9)).find("whole number of symbols"), std::string::npos);
  EXPECT_NE(message(task_of(4, 8, 3)).find("merged by 3"), std::string::npos);
  EXPECT_NE(message(task_of(4, 8, 0)).find("0 symbols merged"), std::string::npos);
  AveragingTask task;
  task.symbol_bits = 0;
  EXPECT_NE(message(task).find("symbol of 0 bits"), std::string::npos);
  task = {};
  task.in_fraction = -1;
  EXPECT_NE(message(task).find("-1 fraction"), std::string::npos);
  EXPECT_THROW(rounding_named("half-odd"), Error);
  EXPECT_EQ(rounding_named("half-even"), Rounding::kHalfEven);
}

// 4 × 4 × 2 ports with one fraction symbol more at each level; cut after two levels, the second gives whole codes.
TEST(Averaging, LevelsOfACascadeFollowOneAnother) {
  const AveragingCascade cascade = cascade_of({.rounding = Rounding::kFloor}, std::vector<std::uint32_t>{4, 4, 2}, 1);
  const AveragingCascade expected{
      {.servers = 4, .rounding = Rounding::kFloor, .out_fraction = 1},
      {.servers = 4, .rounding = Rounding::kFloor, .in_fraction = 1, .out_fraction = 2},
      {.servers = 2, .rounding = Rounding::kFloor, .in_fraction = 2},
  };
  EXPECT_EQ(cascade, expected);
  EXPECT_EQ(lower_levels(cascade, 2), cascade_of({.rounding = Rounding::kFloor}, std::vector<std::uint32_t>{4, 4}, 1));
}

}  // namespace
}  // namespace helio
