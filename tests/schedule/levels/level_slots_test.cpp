// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_slots.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

// Positions 0..5: 2 nodes (level 0) in each of 3 units (level 1).
const std::vector<Position> kWidth = {2, 3};
const std::vector<std::vector<Position>> kCoordinate = {{0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 2, 2}};

LevelStage stage_of(std::uint32_t part, const char* algorithm, Kind kind, std::vector<LevelStage::Team> teams) {
  const auto ranks = static_cast<Position>(teams.front().holders.size());
  return {part, std::make_shared<Schedule>(build_case(algorithm, kind, ranks)), 1, std::move(teams)};
}

// Two slots of level 0, three of level 1: slot (x0, x1) is 3 x0 + x1. A move of slot 1 of level 0 carries 3, 4, 5; a holder with
// coordinate 1 below moves slot x1 of level 1 as 3 + x1.
TEST(LevelSlots, ByDigitsLevelsNest) {
  const LevelSlots slots = LevelSlots::by_digits({0, 1}, kWidth, {2, 3}, kCoordinate);
  EXPECT_EQ(slots.total(), 6u);
  Schedule schedule{.algorithm = "test", .ranks = 6, .chunks = 6};
  slots.append(stage_of(0, "direct", Kind::kReduceScatter, {{{{2}, {3}}}}), "low", schedule);
  ASSERT_EQ(schedule.phases.size(), 1u);
  EXPECT_EQ(schedule.phases[0].name, "reduce-scatter in low");
  for (const Move& move : std::as_const(schedule.phases[0]).moves) {
    EXPECT_EQ(move.count, 3u);
    EXPECT_EQ(move.source_slot, move.destination == 3 ? 3u : 0u);
    EXPECT_EQ(move.source + move.destination, 5);
  }
  schedule.phases.clear();
  slots.append(stage_of(1, "direct", Kind::kReduceScatter, {{{{1}, {3}, {5}}}}), "high", schedule);
  for (const Move& move : std::as_const(schedule.phases[0]).moves) {
    EXPECT_EQ(move.count, 1u);
    EXPECT_EQ(move.source_slot,
              3u + static_cast<std::uint32_t>(move.destination) / 2);  // unit x1 has position 1 + 2 x1
  }
}

// Slot (x0, x1) is that of position 2 x1 + x0. What node 1 of a unit is meant to have of level 0 are slots 1, 3, 5.
TEST(LevelSlots, ByRankABlockIsItsRanks) {
  const LevelSlots slots = LevelSlots::by_rank(kWidth, {2, 3}, kCoordinate);
  Schedule schedule{.algorithm = "test", .kind = Kind::kReduceScatter, .ranks = 6, .chunks = 6};
  slots.append(stage_of(0, "direct", Kind::kReduceScatter, {{{{2}, {3}}}}), "low", schedule);
  std::vector<std::uint32_t> to_3;
  for (const Move& move : std::as_const(schedule.phases[0]).moves)
    if (move.destination == 3) to_3.push_back(move.source_slot);
  EXPECT_EQ(to_3, (std::vector<std::uint32_t>{1, 3, 5}));
}

// A ring of three passes slots -1 a round, modulo 3: from the third on a move is cut where it goes around.
TEST(LevelSlots, MovesAreCutWhereTheyGoAround) {
  const LevelSlots slots = LevelSlots::whole(6);
  Schedule schedule{.algorithm = "test", .ranks = 3, .chunks = 6};
  const LevelStage ring = stage_of(0, "ring", Kind::kAllReduce, {{{{0}, {1}, {2}}}});
  slots.append(ring, "ring", schedule);
  for (std::size_t p = 0; p < schedule.phases.size(); ++p)
    for (const Move& move : std::as_const(schedule.phases[p]).moves) {
      EXPECT_EQ(move.count, 2u);  // two slots of six are one of three
      const Window active = window(move, schedule.phases[p]);
      for (std::uint32_t round = active.first; round < active.last; ++round) {
        const auto slot =
            static_cast<std::int64_t>(move.source_slot) + std::int64_t{move.stride} * (round - active.first);
        EXPECT_GE(slot, 0);
        EXPECT_LE(slot, 4);
      }
    }
  EXPECT_TRUE(verify(schedule).verified);
}

TEST(LevelSlots, TooManySlotsAreRefused) {
  EXPECT_THROW(LevelSlots::by_digits({0, 1}, {2, 2}, {1u << 20, 1u << 20}, {{0}, {0}}), Error);
}

}  // namespace
}  // namespace helio::schedule
