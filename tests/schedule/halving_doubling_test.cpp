// SPDX-License-Identifier: Apache-2.0
#include "schedule/halving_doubling.h"

#include <bit>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

std::uint64_t ceil_log2(Position n) {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

TEST(HalvingDoubling, TheFewestRoundsAndTheFewestBytesForAnyN) {
  // A rank ends with 1 of n blocks, having given each other block away once: n-1 of n slots, in ceil(log2 n) rounds.
  for (const Position n : two_to_forty_and_some()) {
    const auto volume = static_cast<std::uint64_t>(n - 1);
    for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllReduce}) {
      const std::uint64_t walks = kind == Kind::kAllReduce ? 2 : 1;
      const Schedule schedule = build_case("halving-doubling", kind, n);
      EXPECT_EQ(rounds(schedule), walks * ceil_log2(n)) << describe(schedule);
      for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), walks * volume) << describe(schedule);
    }
  }
}

TEST(HalvingDoubling, TheStepsOfTheDrawings) {
  // n = 8, rank 5: gives 0..3 to 1, then 6,7 to 7, then 4 to 4.
  const Schedule eight = build_case("halving-doubling", Kind::kReduceScatter, 8);
  const Position partners[] = {1, 7, 4};
  const std::uint32_t slots[] = {0, 6, 4}, counts[] = {4, 2, 1};
  for (std::size_t step = 0; step < 3; ++step) {
    const Move& move = eight.phases[step].moves[5];
    EXPECT_EQ(move.source, 5);
    EXPECT_EQ(move.destination, partners[step]);
    EXPECT_EQ(move.source_slot, slots[step]);
    EXPECT_EQ(move.count, counts[step]);
  }
  // n = 6, rank 0: gives 3..5 to 3, then 2 to 2, then 1 to 1.
  const Schedule six = build_case("halving-doubling", Kind::kReduceScatter, 6);
  const Position skips[] = {3, 2, 1};
  const std::uint32_t gives[] = {3, 1, 1};
  for (std::size_t step = 0; step < 3; ++step) {
    const Move& move = six.phases[step].moves[0];
    EXPECT_EQ(move.destination, skips[step]);
    EXPECT_EQ(move.source_slot, static_cast<std::uint32_t>(skips[step]));
    EXPECT_EQ(move.count, gives[step]);
  }
}

TEST(HalvingDoubling, SymmetryIsThatOfTheGraph) {
  EXPECT_EQ(build_case("halving-doubling", Kind::kAllReduce, 16).symmetry, Symmetry::kXor);
  EXPECT_EQ(build_case("halving-doubling", Kind::kAllReduce, 12).symmetry, Symmetry::kRotation);
  EXPECT_EQ(build_case("halving-doubling", Kind::kBroadcast, 16).symmetry, Symmetry::kNone);
}

TEST(HalvingDoubling, TheRootScattersAllButItsOwnBlock) {
  // Scatter: n-1 blocks leave the root; all-gather: n-1 from every rank. In reduce the root only takes part in the first.
  for (const Position n : {2, 5, 8, 13, 40}) {
    const auto volume = static_cast<std::uint64_t>(n - 1);
    const Schedule broadcast = build_case("halving-doubling", Kind::kBroadcast, n, n - 1);
    EXPECT_EQ(rounds(broadcast), 2 * ceil_log2(n));
    EXPECT_EQ(slots_sent(broadcast, n - 1), 2 * volume);
    const Schedule reduce = build_case("halving-doubling", Kind::kReduce, n, n - 1);
    EXPECT_EQ(rounds(reduce), 2 * ceil_log2(n));
    EXPECT_EQ(slots_sent(reduce, n - 1), volume);
  }
}

}  // namespace
}  // namespace helio::schedule
