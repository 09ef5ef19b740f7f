// SPDX-License-Identifier: Apache-2.0
#include "schedule/bidirectional_ring.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(BidirectionalRing, EveryLinkCarriesTheSameBothWays) {
  // 2n slots of M/2n. In each of n-1 rounds of a walk a rank sends one slot each way: M (n-1)/n in all, half each way.
  for (const Position n : two_to_forty_and_some()) {
    const Schedule schedule = build_case("bidirectional-ring", Kind::kReduceScatter, n);
    EXPECT_EQ(schedule.chunks, 2u * static_cast<std::uint32_t>(n));
    EXPECT_EQ(rounds(schedule), static_cast<std::uint64_t>(n - 1));
    for (Position p = 0; p < n; ++p) {
      EXPECT_EQ(slots_sent(schedule, p), 2u * static_cast<std::uint64_t>(n - 1));
      const auto at = static_cast<std::size_t>(p);
      EXPECT_EQ(schedule.phases[0].moves[at].destination, (p + 1) % n);
      EXPECT_EQ(schedule.phases[0].moves[at + static_cast<std::size_t>(n)].destination, (p + n - 1) % n);
    }
  }
}

TEST(BidirectionalRing, AllReduceTakesAsManyRoundsAsTheRingWithHalfTheBytesEach) {
  const Schedule one = build_case("ring", Kind::kAllReduce, 12);
  const Schedule both = build_case("bidirectional-ring", Kind::kAllReduce, 12);
  EXPECT_EQ(rounds(one), rounds(both));
  EXPECT_EQ(both.slot_bytes(Bytes{24}).value, one.slot_bytes(Bytes{24}).value / 2);
}

TEST(BidirectionalRing, TwoChainsCarryHalfTheVectorEach) {
  // K = 5 pieces each way of 10 in all; the end of the one chain is the first link of the other.
  const Schedule schedule = build_case("bidirectional-ring", Kind::kBroadcast, 7, 3);
  EXPECT_EQ(schedule.chunks, 10u);
  EXPECT_EQ(rounds(schedule), 5u + 7 - 2);
  for (Position p = 0; p < 7; ++p) EXPECT_EQ(slots_sent(schedule, p), p == 2 || p == 4 ? 5u : 10u);
}

// p+1 and p-1 are one rank on a ring of two, and only there: lanes say which way each half goes.
TEST(BidirectionalRing, LanesAreFixedOnARingOfTwoOnly) {
  for (const Kind kind : {Kind::kAllReduce, Kind::kBroadcast})
    for (const std::uint64_t nodes : {2, 3, 8})
      for (const int directions : {1, 2}) {
        Capabilities fabric;
        fabric.nodes = nodes;
        fabric.directions = directions;
        const bool fixed = nodes == 2 && directions == 2;
        for (const Position ranks : {2, 3}) {
          if (static_cast<std::uint64_t>(ranks) > nodes) continue;
          for (const Phase& phase : build("bidirectional-ring", request_on_all(kind, Bytes{8}, ranks), fabric).phases)
            for (std::size_t i = 0; i < phase.moves.size(); ++i)
              EXPECT_EQ(phase.moves[i].lane.direction, !fixed ? -1 : i < phase.moves.size() / 2 ? 0 : 1);
        }
      }
}

}  // namespace
}  // namespace helio::schedule
