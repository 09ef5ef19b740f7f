// SPDX-License-Identifier: Apache-2.0
// How large a ring may be before its light does not arrive. The budget leaves 30 dB - 5 dB at the ends - 1 dB of crosstalk = 24 dB.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {
namespace {

double largest(const Rows& rows, const std::string& of) {
  const auto row = std::ranges::find(rows, "largest N that closes, " + of, &report::Row::quantity);
  if (row == rows.end()) throw std::runtime_error("no row " + of);
  return row->ours;
}

// Largest rings by the longest path of schedules that were built, and by that of the closed form.
TEST(WrhtReach, EveryRowMeetsItsClosedForm) {
  const Findings found = reach();
  EXPECT_EQ(found.rows.size(),
            2u * 8 * 6);  // two readings of the light, six groups and two of the planner's, six losses
  for (const report::Row& row : found.rows) {
    EXPECT_EQ(row.ours, row.expected) << row.quantity;
    EXPECT_FALSE(row.published);
    EXPECT_EQ(row.label(), "ours");
  }
}

TEST(WrhtReach, WrhtStopsNearTwiceTheReachOfLight) {
  const Rows rows = reach().rows;
  // 0.1 dB: 240 hops. m=33: floor(r/2) 33 <= 240, so r <= 15 groups of 33
  EXPECT_EQ(largest(rows, "0.1 dB a hop, WRHT m=33"), 495);
  // m=129: floor(r/2) 129 <= 240, so r <= 3 groups of 129
  EXPECT_EQ(largest(rows, "0.1 dB a hop, WRHT m=129"), 387);
  // 0.322 dB: 74 hops. A second group of L leaves 129 - 64 + floor(L/2) <= 74 between two leaders: L = 19
  EXPECT_EQ(largest(rows, "0.322 dB a hop, WRHT m=129"), 148);
  // 1 dB: 24 hops. One group, its middle floor(N/2) <= 24 away from the ends
  EXPECT_EQ(largest(rows, "1 dB a hop, WRHT m=129"), 49);
}

TEST(WrhtReach, ThePlannedScheduleClosesAtAnySizeWhereItsStrideDoes) {
  const Rows rows = reach().rows;
  // 24 / 0.322 = 74 hops are more than the 64 of the widest stride; 24 / 0.5 = 48 are fewer, so N/2 <= 48
  EXPECT_EQ(largest(rows, "0.322 dB a hop, planned, circulant of up to 64 hops"), 1 << 20);
  EXPECT_EQ(largest(rows, "0.5 dB a hop, planned, circulant of up to 64 hops"), 97);
  EXPECT_EQ(largest(rows, "1 dB a hop, planned, static ring"), 1 << 20);
}

// papers/wrht.md 2.6 and 6.3: 516, 528, 567 and 1419 hops, 5 in the example of 15 nodes. The closed form has the shortcut where the
// wavelengths allow it; with 64 they do for 8 but not for 32 or 114 that are alive.
TEST(WrhtReach, LongestPathsAreThoseOfTheSpec) {
  EXPECT_EQ(wrht_longest_hops(1024, 64, 129), 516u);   // 8 alive, 4 gaps of 129
  EXPECT_EQ(wrht_longest_hops(1024, 64, 33), 528u);    // 32 alive in one group, 16 gaps of 33
  EXPECT_EQ(wrht_longest_hops(1024, 4, 9), 567u);      // 2 alive after 1024, 114, 13: the second leads a short group
  EXPECT_EQ(wrht_longest_hops(2838, 64, 129), 1419u);  // 22 alive, 11 gaps of 129
  EXPECT_EQ(wrht_longest_hops(15, 2, 5), 5u);
  EXPECT_EQ(wrht_longest_hops(2, 64, 129), 1u);
}

}  // namespace
}  // namespace helio::studies::wrht_study
