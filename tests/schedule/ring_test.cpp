// SPDX-License-Identifier: Apache-2.0
#include "schedule/ring.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(Ring, AllReduceIsTwoWalksOfNMovesWithTheSameEndpoints) {
  const Schedule schedule = build_case("ring", Kind::kAllReduce, 6);
  ASSERT_EQ(schedule.phases.size(), 2u);
  EXPECT_EQ(schedule.chunks, 6u);
  for (std::size_t p = 0; p < 6; ++p)
    for (const Phase& phase : schedule.phases) {
      EXPECT_EQ(phase.moves.size(), 6u);
      EXPECT_EQ(phase.moves[p].source, static_cast<Position>(p));
      EXPECT_EQ(phase.moves[p].destination, static_cast<Position>((p + 1) % 6));
    }
}

TEST(Ring, TheMoveOfTheDrawing) {
  // schedule.h: in n = 4 rank 2 reduces slots 1, 0, 3 into rank 3.
  const Schedule schedule = build_case("ring", Kind::kAllReduce, 4);
  const Move& move = schedule.phases[0].moves[2];
  const std::uint32_t expected[] = {1, 0, 3};
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(slot_in_round(move, move.source_slot, i, 4), expected[i]);
}

TEST(Ring, RoundsAndBytesAreThoseOfPatarasukAndYuan) {
  // n slots of M/n: 2(n-1) rounds and 2(n-1) slots from every rank, half of each for one walk.
  for (const Position n : two_to_forty_and_some()) {
    const auto once = static_cast<std::uint64_t>(n - 1);
    const Schedule both = build_case("ring", Kind::kAllReduce, n);
    EXPECT_EQ(rounds(both), 2 * once);
    for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather}) {
      const Schedule one = build_case("ring", kind, n);
      EXPECT_EQ(rounds(one), once);
      for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(one, p), once);
    }
    for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(both, p), 2 * once);
  }
}

TEST(Ring, AChainTakesItsPiecesPlusItsLinksLessOneRounds) {
  // K = 5 pieces over n-1 links: the last link starts in round n-2 and takes K rounds. Every rank but one sends M once.
  for (const Position n : {2, 3, 8, 33}) {
    const Position root = n / 2, end = (root + n - 1) % n;
    const Schedule broadcast = build_case("ring", Kind::kBroadcast, n, root);
    const Schedule reduce = build_case("ring", Kind::kReduce, n, root);
    EXPECT_EQ(rounds(broadcast), 5u + static_cast<std::uint64_t>(n) - 2);
    EXPECT_EQ(rounds(reduce), rounds(broadcast));
    for (Position p = 0; p < n; ++p) {
      EXPECT_EQ(slots_sent(broadcast, p), p == end ? 0u : 5u);
      EXPECT_EQ(slots_sent(reduce, p), p == root ? 0u : 5u);
    }
  }
}

TEST(Ring, ThePiecesOfAChainFollowTheFabric) {
  // (K+n-2)(a + t/K) is least at K = sqrt((n-2) t/a): n = 18, t = 1 MB at 8 Gb/s = 1 ms, a = 10 us + 30 us:
  // sqrt(16 * 1000/40) = 20.
  Capabilities fabric;
  fabric.link_rate = BitRate{8e9};
  fabric.nearest_latency = Time::microseconds(10);
  fabric.step_overhead = Time::microseconds(30);
  EXPECT_EQ(best_pieces(18, Bytes{1e6}, fabric), 20u);
  EXPECT_EQ(build("ring", request_on_all(Kind::kBroadcast, Bytes{1e6}, 18), fabric).chunks, 20u);
  // Two ranks have nothing to overlap; three bytes make at most three pieces; where starting is free, the most.
  EXPECT_EQ(best_pieces(2, Bytes{1e6}, fabric), 1u);
  EXPECT_EQ(best_pieces(18, Bytes{3}, {}), 3u);
  EXPECT_EQ(best_pieces(18, Bytes{0}, {}), 1u);
  EXPECT_EQ(best_pieces(18, Bytes{1e9}, {}), 1024u);
}

TEST(Ring, PiecesOfAnAllReduceAreRefused) {
  const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{8}, 4);
  try {
    build("ring", request, {}, {{"chunks", {"4", "--set algorithm.chunks"}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "--set algorithm.chunks");
  }
}

}  // namespace
}  // namespace helio::schedule
