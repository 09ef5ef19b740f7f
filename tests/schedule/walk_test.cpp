// SPDX-License-Identifier: Apache-2.0
#include "schedule/walk.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

// What rank p sends in every round of the only phase: destination and slot.
std::vector<std::pair<Position, std::uint32_t>> sent_by(const std::vector<Phase>& phases, Position p,
                                                        std::uint32_t chunks) {
  std::vector<std::pair<Position, std::uint32_t>> sent;
  for (std::uint32_t round = 0; round < phases.at(0).repeat; ++round)
    for (const Move& move : phases[0].moves)
      if (const Window active = window(move, phases[0]);
          move.source == p && active.first <= round && round < active.last)
        sent.emplace_back(move.destination, slot_in_round(move, move.source_slot, round, chunks));
  return sent;
}

TEST(Walk, OneAxisIsTheRing) {
  // The same moves as those of ring, one for each rank, slots modulo the buffer.
  for (const Position n : {2, 3, 8, 13}) {
    const Lattice line({{.extent = n, .name = "ring"}});
    const Share whole = lay_out(line, Kind::kReduceScatter, {0});
    const auto walk = walk_axes(line, {&whole, 1}, Action::kReduce, static_cast<std::uint32_t>(n));
    const Schedule ring = build_case("ring", Kind::kReduceScatter, n);
    ASSERT_EQ(walk.size(), 1u);
    ASSERT_EQ(walk[0].moves.size(), static_cast<std::size_t>(n));
    for (Position p = 0; p < n; ++p) EXPECT_EQ(sent_by(walk, p, ring.chunks), sent_by(ring.phases, p, ring.chunks));
  }
}

TEST(Walk, AFoldedRingGoesOutOverTheEvenAndBackOverTheOdd) {
  // 0 → 2 → 4 → 5 → 3 → 1 → 0. All-gather: rank 4 sends to 5 its own block 4, then those behind it, 2, 0, 1, 3.
  const Lattice line({{.extent = 6, .name = "line", .folded = true}});
  const Share whole = lay_out(line, Kind::kAllGather, {0});
  const auto walk = walk_axes(line, {&whole, 1}, Action::kStore, 6);
  EXPECT_EQ(sent_by(walk, 4, 6),
            (std::vector<std::pair<Position, std::uint32_t>>{{5, 4}, {5, 2}, {5, 0}, {5, 1}, {5, 3}}));
}

TEST(Walk, WhereARangeEndsAMoveEndsAndAnotherBegins) {
  // Two shares apart on 3x2: share 0 has slots 0..5, axis 0 in pairs. Rank 1 reduces into rank 2 blocks 0 and 2 of axis
  // 0: slots 0 and 4.
  const Lattice lattice({{.extent = 3, .name = "a"}, {.extent = 2, .name = "b"}});
  const Share shares[] = {lay_out(lattice, Kind::kAllReduce, {0, 1}, +1, 0, 2)};
  const auto walk = walk_axes(lattice, shares, Action::kReduce, 12);
  ASSERT_EQ(walk.size(), 2u);
  EXPECT_EQ(sent_by(walk, 1, 12), (std::vector<std::pair<Position, std::uint32_t>>{{2, 0}, {2, 4}}));
  EXPECT_EQ(walk[0].repeat, 2u);
  EXPECT_EQ(walk[1].repeat, 1u);
}

TEST(Walk, FirstStageLeavesOutThoseBefore) {
  const Lattice lattice({{.extent = 3, .name = "a"}, {.extent = 5, .name = "b"}});
  const Share whole = lay_out(lattice, Kind::kAllReduce, {0, 1});
  const auto walk = walk_axes(lattice, {&whole, 1}, Action::kStore, 15, 1);
  ASSERT_EQ(walk.size(), 1u);
  EXPECT_EQ(walk[0].name, "all-gather, b");
  EXPECT_EQ(walk[0].repeat, 4u);
}

}  // namespace
}  // namespace helio::schedule
