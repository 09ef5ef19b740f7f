// SPDX-License-Identifier: Apache-2.0
#include "photonics/averaging_grid.h"

#include <gtest/gtest.h>

#include <vector>

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
TEST(AveragingGrid, SizesAreThoseOfTheSpec) {
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

TEST(AveragingGrid, IndexAndPointAreInverse) {
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
TEST(AveragingGrid, MultiplicityIsTheConvolution) {
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
TEST(AveragingGrid, RandomPointsFollowTheirDistribution) {
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

}  // namespace
}  // namespace helio::photonics
