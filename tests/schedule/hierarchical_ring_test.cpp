// SPDX-License-Identifier: Apache-2.0
#include "schedule/hierarchical_ring.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

Schedule grouped(Kind kind, Position n, Position group) {
  return build("hierarchical-ring", request_on_all(kind, Bytes{1e6}, n), {},
               {{"group", {std::to_string(group), "--set algorithm.group"}}});
}

std::vector<Position> divisors(Position n) {
  std::vector<Position> all;
  for (Position d = 1; d <= n; ++d)
    if (n % d == 0) all.push_back(d);
  return all;
}

TEST(HierarchicalRing, RoundsAndBytesForEveryGroup) {
  // m-1 rounds with G of n slots inside, G-1 rounds with one slot across: (m-1)G + G-1 = n-1 slots, once for each walk.
  for (const Position n : two_to_forty_and_some())
    for (const Position m : divisors(n))
      for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllReduce}) {
        const Schedule schedule = grouped(kind, n, m);
        const std::uint64_t walks = kind == Kind::kAllReduce ? 2 : 1;
        EXPECT_EQ(rounds(schedule), walks * static_cast<std::uint64_t>(m - 1 + n / m - 1));
        for (Position p = 0; p < n; ++p) ASSERT_EQ(slots_sent(schedule, p), walks * static_cast<std::uint64_t>(n - 1));
      }
}

TEST(HierarchicalRing, EveryGroupIsProven) {
  for (const Position n : {4, 6, 12, 16, 18, 30, 36, 64})
    for (const Position m : divisors(n))
      for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllReduce}) {
        const Schedule schedule = grouped(kind, n, m);
        for (const VerifyMethod method : applicable_methods(schedule)) {
          const Verification proof = verify(schedule, {.method = method});
          EXPECT_TRUE(proof.verified) << describe(schedule) << " group " << m << ": " << proof.failure;
        }
        EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 9)) << describe(schedule);
      }
}

TEST(HierarchicalRing, OnlyOneMthLeavesTheGroup) {
  // n = 24, m = 4, G = 6: 2(G-1) = 10 of 24 slots from every rank, to the same member of the next group.
  const Schedule schedule = grouped(Kind::kAllReduce, 24, 4);
  std::vector<std::uint64_t> out(24);
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves)
      if (move.source / 4 != move.destination / 4) {
        EXPECT_EQ(move.destination, (move.source + 4) % 24);
        const Window active = window(move, phase);
        out[static_cast<std::size_t>(move.source)] += move.count * (active.last - active.first);
      }
  for (const std::uint64_t slots : out) EXPECT_EQ(slots, 10u);
}

TEST(HierarchicalRing, TheGroupLeftUnsetIsNearTheSquareRoot) {
  const Parameters unset("test", {group_parameter("test")}, {});
  const auto group = [&](Position n) {
    return ranks_per_group(request_on_all(Kind::kAllReduce, Bytes{1}, n), {}, unset);
  };
  EXPECT_EQ(group(16), 4);
  EXPECT_EQ(group(12), 4);
  EXPECT_EQ(group(1000), 40);
  EXPECT_EQ(group(2), 2);
  EXPECT_EQ(group(13), 13);
  EXPECT_EQ(build_case("hierarchical-ring", Kind::kAllReduce, 13).symmetry, Symmetry::kRotation);
}

TEST(HierarchicalRing, TheGroupLeftUnsetIsAServerWhereThereAreServers) {
  const Parameters unset("test", {group_parameter("test")}, {});
  Capabilities servers;
  servers.nodes = 16;
  servers.parts = {
      {.name = "server", .capabilities = {}, .instances = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}}};
  const auto group = [&](std::vector<std::vector<std::uint32_t>> groups) {
    CollectiveRequest request;
    for (const auto& nodes : groups) {
      request.groups.emplace_back();
      for (const std::uint32_t node : nodes) request.groups.back().push_back(NodeId{node});
    }
    return ranks_per_group(request, servers, unset);
  };
  EXPECT_EQ(ranks_per_group(request_on_all(Kind::kAllReduce, Bytes{1}, 16), servers, unset), 8);
  EXPECT_EQ(group({{0, 1, 2, 3}}), 4);                  // in one server: one level
  EXPECT_EQ(group({{0, 8}, {1, 9}}), 1);                // one of each: the other level
  EXPECT_EQ(group({{0, 1, 8, 9}, {2, 3, 10, 11}}), 2);  // two of each
  EXPECT_EQ(group({{0, 1, 2, 8}}), 2);                  // three and one: no levels, the square root
  EXPECT_EQ(group({{0, 1, 8, 9, 2, 3, 10, 11}, {4, 5, 6, 7, 12, 13, 14, 15}}),
            4);  // groups that differ: the square root
}

TEST(HierarchicalRing, AGroupThatDoesNotDivideIsInfeasibleAndNamesThoseThatDo) {
  for (const Position group : {5, 24}) {
    try {
      grouped(Kind::kAllReduce, 12, group);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_EQ(error.place(), "--set algorithm.group");
      EXPECT_NE(error.advice().find("1, 2, 3, 4, 6, 12"), std::string::npos) << error.advice();
    }
  }
}

TEST(HierarchicalRing, AThousandRanksAreProven) {
  const Verification proof = verify(build_case("hierarchical-ring", Kind::kAllReduce, 1024));
  EXPECT_TRUE(proof.verified) << proof.failure;
}

}  // namespace
}  // namespace helio::schedule
