// SPDX-License-Identifier: Apache-2.0
#include "report/figures/axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace helio::report {
namespace {

// 3 to 97 in five parts is 18.8 a step; the next of 1, 2, 5 times a power of ten is 20: 0, 20, ... 100.
TEST(Axis, ALinearAxisEndsOnRoundTicks) {
  const Axis axis({3, 97, 40}, false);
  EXPECT_EQ(axis.low(), 0);
  EXPECT_EQ(axis.high(), 100);
  EXPECT_EQ(axis.ticks(), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_DOUBLE_EQ(axis.place(25), 0.25);
}

// Four decades: powers of ten only. The margin is 4 % of 4 decades, which reaches no further power.
TEST(Axis, ALogAxisHasPowersOfTen) {
  const Axis axis({1, 1e4}, true);
  EXPECT_EQ(axis.ticks(), (std::vector<double>{1, 10, 100, 1000, 10000}));
  EXPECT_NEAR(axis.place(100), 0.5, 1e-12);  // the geometric middle
}

// 0.3 to 6 is 1.3 decades: with 2 and 5 of each.
TEST(Axis, AShortLogAxisHasTicksBetween) {
  const std::vector<double> ticks = Axis({0.3, 6}, true).ticks();
  ASSERT_EQ(ticks.size(), 4u);
  for (std::size_t i = 0; i < ticks.size(); ++i) EXPECT_DOUBLE_EQ(ticks[i], (std::vector{0.5, 1., 2., 5.})[i]);
}

TEST(Axis, ASingleValueStandsInTheMiddle) {
  EXPECT_NEAR(Axis({8}, true).place(8), 0.5, 1e-12);
  EXPECT_NEAR(Axis({8}, false).place(8), 0.5, 0.01);
  EXPECT_NEAR(Axis({0}, false).place(0), 0.5, 1e-12);
}

// Whatever comes: low below high, and values that cannot be shown change nothing.
TEST(Axis, WhatCannotBeShownIsNotSpanned) {
  EXPECT_FALSE(Axis::shows(0, true));
  EXPECT_FALSE(Axis::shows(NAN, false));
  EXPECT_TRUE(Axis::shows(-1, false));
  EXPECT_EQ(Axis({0, -5, NAN, INFINITY, 1, 100}, true).low(), Axis({1, 100}, true).low());
  for (const bool log : {false, true}) {
    const Axis axis({}, log);
    EXPECT_LT(axis.low(), axis.high());
    EXPECT_FALSE(axis.ticks().empty());
  }
}

TEST(Axis, LabelsAreShort) {
  EXPECT_EQ(tick_label(1024), "1024");
  EXPECT_EQ(tick_label(0.322), "0.322");
  EXPECT_EQ(tick_label(1e6), "1e6");
  EXPECT_EQ(tick_label(1e-7), "1e-7");
  EXPECT_EQ(tick_label(0), "0");
}

}  // namespace
}  // namespace helio::report
