// SPDX-License-Identifier: Apache-2.0
#include "photonics/thermal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace helio::photonics {
namespace {

// One pitch is 0.127 mm, a half column 0.1 mm; (d₀/d)·e^−(d−d₀)/0.5 of what the next mode sees, nothing beyond 1 mm: 7 modes are 0.889 mm
// and 8 are 1.016; 9 half columns and 3 modes are √(0.9² + 0.381²) = 0.977 mm, 4 modes 1.033.
TEST(Thermal, HeatFallsWithDistance) {
  EXPECT_DOUBLE_EQ(heat_seen(0, 1), 1);
  EXPECT_NEAR(heat_seen(0, 2), 0.5 * std::exp(-0.127 / 0.5), 1e-12);
  EXPECT_NEAR(heat_seen(1, 0), 1.27 * std::exp(0.027 / 0.5), 1e-12);
  EXPECT_DOUBLE_EQ(heat_seen(3, -2), heat_seen(-3, 2));
  EXPECT_EQ(heat_seen(0, 0), 0);
  EXPECT_GT(heat_seen(0, 7), 0);
  EXPECT_EQ(heat_seen(0, 8), 0);
  EXPECT_GT(heat_seen(9, 3), 0);
  EXPECT_EQ(heat_seen(9, 4), 0);
}

// Three heaters in a column, one mode apart: the middle one sees both, the others one at one pitch and one at two. Shares are kept in floats.
TEST(Thermal, AllNeighboursLeak) {
  const std::vector<double> heat = HeatSpread({{0, 0}, {0, 1}, {0, 2}}).leaked(std::vector<double>{1, 2, 4});
  EXPECT_NEAR(heat[0], 2 + 4 * heat_seen(0, 2), 1e-6);
  EXPECT_NEAR(heat[1], 1 + 4, 1e-6);
  EXPECT_NEAR(heat[2], 2 + 1 * heat_seen(0, 2), 1e-6);
}

// A lattice of 20 x 20. Set alone, a shifter is off by the heat of the others: 1 % of about π from some seventy neighbours. Set by measuring,
// what is left is rounding: half a level of 10 bits, π/1024, and what the last moves of the others do, at most 1 % of a level each.
TEST(Thermal, CalibrationLeavesLevels) {
  std::vector<HeaterPlace> places;
  for (int column = 0; column < 20; ++column)
    for (int mode = 0; mode < 20; ++mode) places.push_back({2 * column, mode});
  const HeatSpread spread(places);
  const std::vector<double> wanted(places.size(), 1.0), ones(places.size(), 1.0);
  const std::vector<double> sums = spread.leaked(ones);
  const double all = *std::max_element(sums.begin(), sums.end()), half_level = std::numbers::pi / 1024;
  Random random(1), again(1);
  double alone = 0;
  for (const double left : calibrated_phases(spread, wanted, 0.01, 10, 0, random))
    alone = std::max(alone, std::abs(left));
  EXPECT_GT(alone, 0.1);
  for (const double left : calibrated_phases(spread, wanted, 0.01, 10, 8, again))
    EXPECT_LE(std::abs(left), half_level * (1 + 2 * 0.01 * all));
  // Without levels each round leaves at most 1 % x the sum over neighbours of what the round before left, but for drives that fall below
  // 0 in early rounds and start a turn higher: twice the rounds leave what eight would.
  for (const double left : calibrated_phases(spread, wanted, 0.01, 0, 16, again))
    EXPECT_LE(std::abs(left), 2 * std::numbers::pi * std::pow(0.01 * all, 9));
}

}  // namespace
}  // namespace helio::photonics
