// SPDX-License-Identifier: Apache-2.0
#include "schedule/in_fabric.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(InFabric, EveryRankSendsItsVectorOnce) {
  // One slot of M, one round, whatever n is.
  for (const Position n : two_to_forty_and_some()) {
    for (const Kind kind : {Kind::kAllReduce, Kind::kReduce}) {
      const Schedule schedule = build_case("in-fabric", kind, n);
      EXPECT_EQ(schedule.chunks, 1u);
      EXPECT_EQ(rounds(schedule), 1u);
      for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), 1u);
    }
    const Schedule broadcast = build_case("in-fabric", Kind::kBroadcast, n, n - 1);
    for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(broadcast, p), p == n - 1 ? 1u : 0u);
  }
}

TEST(InFabric, BlocksTakeTurns) {
  // n slots of M/n in n rounds: every rank contributes to each block of a reduce-scatter, and sends one of an all-gather.
  const Schedule scatter = build_case("in-fabric", Kind::kReduceScatter, 6);
  const Schedule gather = build_case("in-fabric", Kind::kAllGather, 6);
  EXPECT_EQ(rounds(scatter), 6u);
  EXPECT_EQ(rounds(gather), 6u);
  for (Position p = 0; p < 6; ++p) {
    EXPECT_EQ(slots_sent(scatter, p), 6u);
    EXPECT_EQ(slots_sent(gather, p), 1u);
  }
}

TEST(InFabric, AFabricThatLacksTheAbilityIsInfeasible) {
  struct Row {
    Kind kind;
    bool needs_reduces, needs_multicasts;
  };
  const Row rows[] = {{Kind::kAllReduce, true, true},
                      {Kind::kReduce, true, false},
                      {Kind::kReduceScatter, true, false},
                      {Kind::kBroadcast, false, true},
                      {Kind::kAllGather, false, true}};
  for (const Row& row : rows)
    for (const bool reduces : {false, true})
      for (const bool multicasts : {false, true}) {
        Capabilities fabric;
        fabric.reduces = reduces;
        fabric.multicasts = multicasts;
        const bool able = (reduces || !row.needs_reduces) && (multicasts || !row.needs_multicasts);
        try {
          build("in-fabric", request_on_all(row.kind, Bytes{8}, 4), fabric);
          EXPECT_TRUE(able) << name_of(row.kind);
        } catch (const Error& error) {
          EXPECT_FALSE(able) << name_of(row.kind);
          EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
          EXPECT_NE(error.advice().find("remedy=endpoint"), std::string::npos);
          EXPECT_EQ(error.place(), "");  // who called knows it
        }
      }
}

Schedule apart(Position n, std::uint32_t buckets) {
  return build("in-fabric", request_on_all(Kind::kAllReduce, Bytes{1e6}, n), able_fabric(),
               {{"fused", {"false", "f"}}, {"buckets", {fmt::format("{}", buckets), "b"}}});
}

TEST(InFabric, TakenApartItIsProvenByEveryMethodAndByRealNumbers) {
  for (const Position n : {2, 3, 5, 8, 9})
    for (const std::uint32_t buckets : {1u, 2u, 3u, 7u}) {
      const Schedule schedule = apart(n, buckets);
      EXPECT_EQ(rounds(schedule), (buckets + 1) * static_cast<std::uint64_t>(n));
      EXPECT_EQ(schedule.facts.back(), (Fact{{"buckets"}, static_cast<double>(buckets)}));
      for (const VerifyMethod method : applicable_methods(schedule)) {
        const Verification proof = verify(schedule, {.method = method});
        EXPECT_TRUE(proof.verified) << n << " ranks, " << buckets << " buckets: " << proof.failure;
      }
      EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 1, 9));
    }
}

// papers/fred.md 2.2: the sums of a bucket and the copies of the one before fit beside each other on full-duplex ports. In
// every round in between every rank sends one slot and receives one; in the first n all but one send, in the last n one.
TEST(InFabric, TakenApartSumsAndCopiesUseDifferentPorts) {
  const Position n = 5;
  const std::uint32_t buckets = 3, blocks = 5;
  const Schedule schedule = apart(n, buckets);
  const Phase& phase = schedule.phases.front();
  for (std::uint32_t round = 0; round < phase.repeat; ++round) {
    std::vector<int> sent(n), received(n);
    for (const Move& move : phase.moves) {
      if (const Window active = window(move, phase); round < active.first || round >= active.last) continue;
      for (const Position p : schedule.members(move.source)) ++sent[static_cast<std::size_t>(p)];
      for (const Position p : schedule.members(move.destination)) ++received[static_cast<std::size_t>(p)];
    }
    for (Position p = 0; p < n; ++p) {
      const bool turn = round % blocks == static_cast<std::uint32_t>(p), sums = round < buckets * blocks,
                 copies = round >= blocks;
      EXPECT_EQ(sent[static_cast<std::size_t>(p)], turn ? copies : sums) << round;
      EXPECT_EQ(received[static_cast<std::size_t>(p)], turn ? sums : copies) << round;
    }
  }
}

TEST(InFabric, BucketsAreOfAnAllReduceThatIsTakenApart) {
  const auto place_of_error = [](Kind kind, const Settings& settings) -> std::string {
    try {
      build("in-fabric", request_on_all(kind, Bytes{1e6}, 4), able_fabric(), settings);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.place();
    }
    return "";
  };
  EXPECT_EQ(place_of_error(Kind::kAllReduce, {{"buckets", {"2", "b"}}}), "b");
  EXPECT_EQ(place_of_error(Kind::kAllReduce, {{"fused", {"true", "f"}}, {"buckets", {"1", "b"}}}), "b");
  EXPECT_EQ(place_of_error(Kind::kAllGather, {{"fused", {"false", "f"}}}), "f");
  EXPECT_EQ(place_of_error(Kind::kReduceScatter, {{"buckets", {"2", "b"}}}), "b");
  EXPECT_EQ(place_of_error(Kind::kAllReduce, {{"fused", {"true", "f"}}}), "");
  EXPECT_EQ(apart(4, 1).chunks, 4u);

  // 2 x 64 x 65,536 moves
  try {
    apart(64, 65536);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
}

}  // namespace
}  // namespace helio::schedule
