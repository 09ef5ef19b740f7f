// SPDX-License-Identifier: Apache-2.0
#include "schedule/symmetry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(Symmetry, AClaimOfAnotherGroupIsFalse) {
  // A ring turns but does not mirror; a hypercube mirrors but does not turn (0 <-> 4 becomes 1 <-> 5, whose range is 4..7
  // and not 5..8).
  Schedule ring = build_case("ring", Kind::kAllReduce, 8), cube = build_case("halving-doubling", Kind::kAllReduce, 8);
  EXPECT_EQ(symmetry_fault(ring), "");
  EXPECT_EQ(symmetry_fault(cube), "");
  std::swap(ring.symmetry, cube.symmetry);
  EXPECT_NE(symmetry_fault(ring), "");
  EXPECT_NE(symmetry_fault(cube), "");
}

TEST(Symmetry, ClaimsThatTheShapeForbids) {
  Schedule schedule = build_case("ring", Kind::kAllReduce, 6);
  schedule.symmetry = Symmetry::kXor;
  EXPECT_NE(symmetry_fault(schedule).find("no power of two"), std::string::npos);
  schedule = build_case("ring", Kind::kBroadcast, 5);
  schedule.symmetry = Symmetry::kRotation;
  EXPECT_NE(symmetry_fault(schedule).find("root"), std::string::npos);
  schedule = build_case("in-fabric", Kind::kAllReduce, 6);
  schedule.symmetry = Symmetry::kRotation;
  EXPECT_NE(symmetry_fault(schedule).find("do not divide"), std::string::npos);
}

TEST(Symmetry, AMoveOfAllRanksOnAllSlotsIsItsOwnShift) {
  Schedule schedule = build_case("in-fabric", Kind::kAllReduce, 4);
  schedule.chunks = schedule.phases[0].moves[0].count = 4;
  schedule.symmetry = Symmetry::kXor;
  EXPECT_EQ(symmetry_fault(schedule), "");
  EXPECT_TRUE(verify(schedule, {.method = VerifyMethod::kOneSlotPerOrbit}).verified);
}

TEST(Symmetry, SetsAreShiftedMemberByMember) {
  // Pairs {p, p+2} of 4 ranks, each multicast to by p+1: the set of the shifted move is the shifted set.
  Schedule schedule{.kind = Kind::kAllGather, .ranks = 4, .chunks = 4, .symmetry = Symmetry::kRotation};
  schedule.sets = {{0, 2}, {1, 3}};
  Phase& phase = schedule.phases.emplace_back();
  for (std::uint32_t p = 0; p < 4; ++p)
    phase.moves.push_back({.source = static_cast<Position>((p + 1) % 4),
                           .destination = p % 2 == 0 ? ~0 : ~1,
                           .source_slot = p,
                           .destination_slot = p});
  EXPECT_EQ(symmetry_fault(schedule), "");
  phase.moves[2].destination = ~1;
  EXPECT_NE(symmetry_fault(schedule), "");
}

TEST(Symmetry, MovesThatChangeSlotsAreSeen) {
  EXPECT_TRUE(keeps_slots(build_case("direct", Kind::kAllReduce, 4)));
  EXPECT_FALSE(keeps_slots(build_case("direct", Kind::kAllToAll, 4)));
  Schedule schedule = build_case("ring", Kind::kAllReduce, 4);
  schedule.phases[1].moves[3].destination_slot ^= 1;
  EXPECT_FALSE(keeps_slots(schedule));
}

// One move changed in one field that shapes the data: no claim survives it.
RC_GTEST_PROP(Symmetry, OneChangedMoveRefutesTheClaim, ()) {
  const std::string algorithm =
      *rc::gen::element<std::string>("ring", "bidirectional-ring", "halving-doubling", "direct");
  const Position n = *rc::gen::inRange<Position>(3, 20);
  Schedule schedule = build_case(algorithm, Kind::kAllReduce, n);
  Phase& phase = schedule.phases[*rc::gen::inRange<std::size_t>(0, schedule.phases.size())];
  Move& move = phase.moves[*rc::gen::inRange<std::size_t>(0, phase.moves.size())];
  switch (*rc::gen::inRange(0, 5)) {
    case 0: move.source_slot = move.destination_slot = (move.source_slot + 1) % schedule.chunks; break;
    case 1: move.action = move.action == Action::kStore ? Action::kReduce : Action::kStore; break;
    case 2: move.source = (move.source + 1) % n; break;
    case 3: move.count += 1; break;
    case 4: move.destination_buffer = Buffer::kOutput; break;
  }
  RC_ASSERT(symmetry_fault(schedule) != "");
}

}  // namespace
}  // namespace helio::schedule
