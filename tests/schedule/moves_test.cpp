// SPDX-License-Identifier: Apache-2.0
#include "schedule/moves.h"

#include <gtest/gtest.h>

#include <utility>

#include "schedule/algorithm.h"
#include "schedule/symmetry.h"
#include "schedule/verify.h"

namespace helio::schedule {
namespace {

Schedule built(const char* algorithm, Kind kind, Position ranks) {
  return build(algorithm, request_on_all(kind, Bytes{1e6}, ranks), Capabilities{}, {});
}

TEST(Moves, RotationShiftsRanksAndBlocks) {
  // 4 ranks, 2 slots a block: 3 --> 1 from slot 7 on, over the end; by one: 0 --> 2 from slot 1 on.
  const Moves moves =
      Moves::translated({{.source = 3, .destination = 1, .source_slot = 7, .destination_slot = 7, .count = 3}},
                        Symmetry::kRotation, 4, 8);
  ASSERT_EQ(moves.size(), 4u);
  EXPECT_EQ(moves[1].source, 0);
  EXPECT_EQ(moves[1].destination, 2);
  EXPECT_EQ(moves[1].source_slot, 1u);
  EXPECT_EQ(moves[3].source_slot, 5u);
}

TEST(Moves, XorKeepsAlignedRangesTogether) {
  // 8 ranks, a slot each: 0 --> 4 with slots 4 to 7. Rank 5 is 0 xor 5: it gives 1 the slots 0 to 3.
  const Moves moves = Moves::translated({{.destination = 4, .source_slot = 4, .destination_slot = 4, .count = 4}},
                                        Symmetry::kXor, 8, 8);
  EXPECT_EQ(moves[5].source, 5);
  EXPECT_EQ(moves[5].destination, 1);
  EXPECT_EQ(moves[5].source_slot, 0u);
  EXPECT_EQ(moves[2].source_slot, 4u);
}

TEST(Moves, RunsAreOneMoveAtManySlots) {
  const std::uint32_t offsets[] = {0, 4, 8};
  const Moves moves =
      Moves::in_runs({{.destination = 1, .source_slot = 2, .destination_slot = 1}, {.destination = 2}}, offsets);
  ASSERT_EQ(moves.size(), 6u);
  EXPECT_EQ(moves[1].source_slot, 6u);
  EXPECT_EQ(moves[2].destination_slot, 9u);
  EXPECT_EQ(moves[3].destination, 2);
  EXPECT_EQ(moves[5].source_slot, 8u);
  // Groups of 4 of 16 ranks gather by rank: 4 runs of each message.
  const Schedule schedule = build("two-level", request_on_all(Kind::kAllGather, Bytes{1e6}, 16), Capabilities{}, {});
  EXPECT_EQ(schedule.phases.back().moves.size(), 64u);
  EXPECT_EQ(schedule.phases.back().moves.listed().size(), 16u);
  EXPECT_TRUE(verify(schedule).verified);
}

TEST(Moves, WhoWritesGetsTheList) {
  Moves moves = Moves::translated({{.destination = 1}}, Symmetry::kRotation, 4, 4);
  EXPECT_EQ(moves.each(), 4u);
  EXPECT_EQ(std::as_const(moves).listed().size(), 1u);
  moves[2].destination = 0;
  EXPECT_EQ(moves.each(), 1u);
  ASSERT_EQ(moves.size(), 4u);
  EXPECT_EQ(moves[3].source, 3);
  EXPECT_EQ(moves[3].destination, 0);
  EXPECT_EQ(moves[2].destination, 0);
}

TEST(Moves, OfAMillionRanksFewAreKept) {
  // Halving and doubling: 2 log2 n phases of n moves, one kept of each. Direct: n-1 kept of n(n-1).
  const Schedule doubling = built("halving-doubling", Kind::kAllReduce, 1 << 20);
  ASSERT_EQ(doubling.phases.size(), 40u);
  for (const Phase& phase : doubling.phases) {
    EXPECT_EQ(phase.moves.size(), std::size_t{1} << 20);
    EXPECT_EQ(phase.moves.listed().size(), 1u);
  }
  const Schedule direct = built("direct", Kind::kAllToAll, 4096);
  EXPECT_EQ(direct.phases.front().moves.size(), 4096u * 4095u);
  EXPECT_EQ(direct.phases.front().moves.listed().size(), 4095u);
}

TEST(Moves, TranslatesAreWhatTheSymmetryClaims) {
  for (const Position n : {2, 3, 5, 6, 8, 12, 16})
    for (const char* algorithm : {"halving-doubling", "direct"})
      for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather}) {
        const Schedule schedule = built(algorithm, kind, n);
        EXPECT_EQ(symmetry_fault(schedule), "") << algorithm << " on " << n;
        EXPECT_TRUE(verify(schedule).verified) << algorithm << " on " << n;
        // The same as a list
        Schedule listed = schedule;
        for (Phase& phase : listed.phases) phase.moves.list();
        EXPECT_EQ(symmetry_fault(listed), "");
        EXPECT_TRUE(verify(listed).verified);
      }
}

TEST(Moves, OfOtherShapesAreRefused) {
  Schedule schedule = built("direct", Kind::kAllGather, 4);
  schedule.chunks = 8;
  EXPECT_THROW(check(schedule), Error);
}

}  // namespace
}  // namespace helio::schedule
