// SPDX-License-Identifier: Apache-2.0
#include "photonics/averaging.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"

namespace helio::photonics {
namespace {

AveragingTask task_of(int servers, int bits, int merge = 1) {
  AveragingTask task;
  task.servers = servers;
  task.bits = bits;
  task.merge = merge;
  return task;
}

// The table of papers/optinc.md 2.2: (N(R^g − 1) + 1)^(K/g).
TEST(Averaging, GridSizesAreThoseOfTheSpec) {
  EXPECT_EQ(Grid(task_of(4, 8)).size(), 28561);       // 13^4
  EXPECT_EQ(Grid(task_of(8, 8)).size(), 390625);      // 25^4
  EXPECT_EQ(Grid(task_of(16, 8)).size(), 5764801);    // 49^4
  EXPECT_EQ(Grid(task_of(4, 16)).size(), 815730721);  // 13^8, "8.16e8"
  EXPECT_EQ(Grid(task_of(4, 8, 2)).size(), 3721);     // 61^2
  EXPECT_EQ(Grid(task_of(8, 8, 2)).size(), 14641);
  EXPECT_EQ(Grid(task_of(16, 8, 2)).size(), 58081);
  EXPECT_EQ(Grid(task_of(4, 8, 4)).size(), 1021);
  EXPECT_EQ(Grid(task_of(8, 8, 4)).size(), 2041);
  EXPECT_EQ(Grid(task_of(16, 8, 4)).size(), 4081);
  AveragingTask level2 = task_of(4, 8);
  level2.in_fraction = 1;
  EXPECT_EQ(Grid(level2).size(), 371293);  // 13^5, 5.1
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

TEST(Averaging, IndexAndPointAreInverse) {
  AveragingTask task = task_of(3, 4);
  task.rounding = Rounding::kDither;  // 10² · 3 points
  const Grid grid(task);
  ASSERT_EQ(grid.size(), 300);
  std::vector<int> walked(3, 0), point(3);
  for (std::uint64_t i = 0; i < 300; ++i) {
    grid.point(i, point);
    EXPECT_EQ(point, walked);
    EXPECT_EQ(grid.index(point), i);
    EXPECT_EQ(grid.advance(walked), i < 299);
  }
  EXPECT_EQ(walked, std::vector<int>(3, 0));
}

// Two servers of one PAM4 symbol: sums 0..6 in 1 2 3 4 3 2 1 of 16 ways.
TEST(Averaging, MultiplicityIsTheConvolution) {
  const Grid grid(task_of(2, 4));
  const std::vector<double> ways{1, 2, 3, 4, 3, 2, 1};
  for (int s = 0; s <= 6; ++s)
    EXPECT_DOUBLE_EQ(grid.probability(std::vector<int>{s, 3}), ways[static_cast<std::size_t>(s)] / 16 * 4 / 16);
  double all = 0;
  std::vector<int> point(2, 0);
  do all += grid.probability(point);
  while (grid.advance(point));
  EXPECT_NEAR(all, 1, 1e-14);
}

// The mean of a sum is N(R−1)/2 = 6 for either way of drawing; its variance (13²−1)/12 = 14 over the grid, 4·(16−1)/12 = 5 over codes.
TEST(Averaging, RandomPointsFollowTheirDistribution) {
  const Grid grid(task_of(4, 8));
  for (const bool codes : {false, true}) {
    Random random(3);
    double sum = 0, squares = 0;
    std::vector<int> point(4);
    const int draws = 20000;
    for (int i = 0; i < draws; ++i) {
      if (codes)
        grid.random_codes_point(random, point);
      else
        grid.random_point(random, point);
      sum += point[2];
      squares += (point[2] - 6.0) * (point[2] - 6.0);
    }
    EXPECT_NEAR(sum / draws, 6, 0.15);  // five standard errors √(14/20000) = 0.026
    EXPECT_NEAR(squares / draws, codes ? 5 : 14, 0.5);
  }
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

// u = clip(round(g/s) + 128, 0, 255) (2.1), and 0x1b = 0·64 + 1·16 + 2·4 + 3.
TEST(SymbolCodec, CodesAreOffsetBinary) {
  const SymbolCodec codec(8, 2, 0.5);
  EXPECT_EQ(codec.code(0), 128u);
  EXPECT_EQ(codec.code(1.0), 130u);
  EXPECT_EQ(codec.code(-1e9), 0u);
  EXPECT_EQ(codec.code(1e9), 255u);
  EXPECT_EQ(codec.value(130), 1.0);
  std::vector<int> digits(4);
  codec.digits(0x1b, digits);
  EXPECT_EQ(digits, (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(codec.from_digits(digits), 0x1b);
  EXPECT_THROW(codec.code(std::nan("")), Error);
  EXPECT_THROW(SymbolCodec(8, 2, 0), Error);
  EXPECT_THROW(SymbolCodec(8, 3, 1), Error);
}

}  // namespace
}  // namespace helio::photonics
