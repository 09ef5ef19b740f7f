// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/oddl/oddl_slice_fit.h"

namespace helio::fabric {
namespace {

using Parts = std::vector<RunPart>;

std::vector<std::vector<NodeId>> all_of(std::uint32_t count) {
  std::vector<std::vector<NodeId>> groups(1);
  for (std::uint32_t i = 0; i < count; ++i) groups[0].push_back({i});
  return groups;
}

// Halving-doubling of 8 has steps at distances 1, 2 and 4, there and back, of 8 pairs each; the two in the middle are alike. Where
// 16 pairs fit, two distances are a part; the third, there and back, and the second again are the next; the first is the last.
TEST(OddlParts, APhaseJoinsThePartBeforeItWhileThatFits) {
  const schedule::Schedule schedule = slice_schedule("halving-doubling", schedule::Kind::kAllReduce, 8, 0);
  ASSERT_EQ(schedule.phases.size(), 6u);
  const auto cut =
      cut_into_parts(schedule, all_of(8), [](std::span<const NodePair> pairs) { return pairs.size() <= 16; });
  const Parts& parts = std::get<Parts>(cut);
  ASSERT_EQ(parts.size(), 3u);
  const std::uint32_t begins[] = {0, 2, 5, 6};
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_EQ(parts[p].first_phase, begins[p]);
    EXPECT_EQ(parts[p].last_phase, begins[p + 1]);
    EXPECT_EQ(schedule_of(schedule, parts[p]).phases.size(), begins[p + 1] - begins[p]);
  }
  EXPECT_EQ(parts[0].pairs.size(), 16u);
  EXPECT_EQ(parts[1].pairs.size(), 16u);
  EXPECT_EQ(parts[2].pairs.size(), 8u);
  EXPECT_TRUE(std::ranges::includes(parts[0].pairs, parts[2].pairs));
}

TEST(OddlParts, WhatFitsIsOnePartAndAPhaseThatDoesNotIsNamed) {
  const schedule::Schedule schedule = slice_schedule("halving-doubling", schedule::Kind::kAllReduce, 8, 0);
  EXPECT_EQ(std::get<Parts>(cut_into_parts(schedule, all_of(8), [](auto) { return true; })).size(), 1u);
  const auto stuck =
      cut_into_parts(schedule, all_of(8), [](std::span<const NodePair> pairs) { return pairs.size() < 8; });
  EXPECT_EQ(std::get<std::vector<NodePair>>(stuck), pairs_of(schedule, 0, all_of(8)));
}

// With the light of each part known the same parts come out.
TEST(OddlParts, LightTellsWhichPhasesArePart) {
  const schedule::Schedule schedule = slice_schedule("halving-doubling", schedule::Kind::kAllReduce, 8, 0);
  const auto cut =
      cut_into_parts(schedule, all_of(8), [](std::span<const NodePair> pairs) { return pairs.size() <= 16; });
  const Parts& parts = std::get<Parts>(cut);
  const Parts again = parts_by_light(schedule, all_of(8), [&](std::uint32_t part, const NodePair& pair) {
    return std::ranges::binary_search(parts.at(part).pairs, pair);
  });
  ASSERT_EQ(again.size(), parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    EXPECT_EQ(again[p].first_phase, parts[p].first_phase);
    EXPECT_EQ(again[p].last_phase, parts[p].last_phase);
    EXPECT_EQ(again[p].pairs, parts[p].pairs);
  }
}

}  // namespace
}  // namespace helio::fabric
