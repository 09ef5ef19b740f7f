// SPDX-License-Identifier: Apache-2.0
// What a schedule by levels is made of; that it computes every kind is in tests/schedule/algorithm_test.cpp.
#include "schedule/levels/by_level.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

// 3 wafers of 4 nodes; those in `gateways` reach the ring between wafers.
Capabilities wafers(bool adds, std::vector<std::uint32_t> gateways = {}) {
  Capabilities capabilities;
  capabilities.fabric = "wafers";
  capabilities.nodes = 12;
  Capabilities::Part wafer{.name = "wafer", .unit = 1}, between{.name = "between", .unit = 4};
  wafer.capabilities.fabric = "wafer";
  wafer.capabilities.nodes = 4;
  wafer.capabilities.reduces = wafer.capabilities.multicasts = adds;
  between.capabilities.fabric = "between";
  between.capabilities.nodes = 3;
  between.capabilities.adjacency = Adjacency::kRing;
  between.gateways = std::move(gateways);
  capabilities.parts = {wafer, between};
  return capabilities;
}

Schedule by_level(const CollectiveRequest& request, const Capabilities& capabilities, const Settings& settings = {}) {
  return build(kByLevel, request, capabilities, settings);
}

std::vector<std::pair<std::uint32_t, Kind>> stages_of(const Schedule& schedule) {
  std::vector<std::pair<std::uint32_t, Kind>> stages;
  for (const LevelStage& stage : schedule.stages) stages.emplace_back(stage.part, stage.schedule->kind);
  return stages;
}

void expect_right(const Schedule& schedule) {
  check(schedule);
  const Verification proof = verify(schedule);
  EXPECT_TRUE(proof.verified) << describe(schedule) << ": " << proof.failure;
  EXPECT_TRUE(executes_correctly(schedule, 2 * schedule.chunks, 7)) << describe(schedule);
}

using Stages = std::vector<std::pair<std::uint32_t, Kind>>;

TEST(ByLevel, SumsGoUpAndCopiesComeDown) {
  const auto asked = [](Kind kind) { return request_on_all(kind, Bytes{1e6}, 12); };
  const Capabilities fabric = wafers(false);
  EXPECT_EQ(stages_of(by_level(asked(Kind::kAllReduce), fabric)),
            (Stages{{0, Kind::kReduceScatter}, {1, Kind::kAllReduce}, {0, Kind::kAllGather}}));
  EXPECT_EQ(stages_of(by_level(asked(Kind::kReduceScatter), fabric)),
            (Stages{{0, Kind::kReduceScatter}, {1, Kind::kReduceScatter}}));
  EXPECT_EQ(stages_of(by_level(asked(Kind::kAllGather), fabric)),
            (Stages{{1, Kind::kAllGather}, {0, Kind::kAllGather}}));
  EXPECT_EQ(stages_of(by_level(asked(Kind::kAllToAll), fabric)), (Stages{{0, Kind::kAllToAll}, {1, Kind::kAllToAll}}));
}

// All four nodes of a wafer hold a quarter each of what it exchanges with the others, three wafers are one team.
TEST(ByLevel, HoldersOfAUnitShareItsPart) {
  const Schedule schedule = by_level(request_on_all(Kind::kAllReduce, Bytes{1e6}, 12), wafers(false));
  const LevelStage& across = schedule.stages[1];
  ASSERT_EQ(across.teams.size(), 1u);
  EXPECT_EQ(across.teams[0].holders, (std::vector<std::vector<Position>>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
  EXPECT_EQ(schedule.stages[0].teams.size(), 3u);  // a team for each wafer
  // All that a unit exchanges is the whole vector; of an all-to-all that of its four nodes
  EXPECT_EQ(across.share, 1);
  EXPECT_EQ(by_level(request_on_all(Kind::kAllToAll, Bytes{1e6}, 12), wafers(false)).stages[1].share, 4);
}

TEST(ByLevel, WhereTheLowestLevelAddsItAddsAtTheGateways) {
  const Schedule schedule = by_level(request_on_all(Kind::kAllReduce, Bytes{1e6}, 12), wafers(true, {0, 3}));
  expect_right(schedule);
  ASSERT_EQ(schedule.stages.size(), 3u);
  EXPECT_EQ(schedule.stages[1].teams[0].holders, (std::vector<std::vector<Position>>{{0, 3}, {4, 7}, {8, 11}}));
  // One in-fabric sum for each of two gateways, in three wafers
  EXPECT_EQ(schedule.phases.front().moves.size(), 2u * 3u);
  EXPECT_EQ(schedule.phases.front().repeat, 2u);
}

TEST(ByLevel, GroupsOnOneLevelUseThatLevelAlone) {
  CollectiveRequest request{.kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {}};
  // In a wafer
  request.groups = {{{0}, {1}, {2}, {3}}, {{4}, {5}, {6}, {7}}};
  EXPECT_EQ(stages_of(by_level(request, wafers(false))), (Stages{{0, Kind::kAllReduce}}));
  // One node of each wafer
  request.groups = {{{0}, {4}, {8}}, {{1}, {5}, {9}}};
  EXPECT_EQ(stages_of(by_level(request, wafers(false))), (Stages{{1, Kind::kAllReduce}}));
}

TEST(ByLevel, RaggedGroupsGoByOneNodeOfEachUnit) {
  CollectiveRequest request{.kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {{{0}, {1}, {2}, {4}, {8}, {9}}}};
  for (const Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kBroadcast, Kind::kReduce})
    for (const Position root : {0, 2, 5}) {
      if (!has_root(kind) && root > 0) continue;
      request.kind = kind;
      request.root = root;
      expect_right(by_level(request, wafers(false, {1})));
    }
  request.root = 0;
  for (const Kind kind : {Kind::kAllGather, Kind::kAllToAll}) {
    request.kind = kind;
    try {
      by_level(request, wafers(false));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.advice().find("direct"), std::string::npos);
    }
  }
}

// Positions of a group in any order: block r stays that of position r.
TEST(ByLevel, RanksMayBeInAnyOrder) {
  CollectiveRequest request{
      .kind = Kind::kReduceScatter, .bytes = Bytes{1e6}, .groups = {{{9}, {0}, {5}, {8}, {1}, {4}}}};
  for (const Kind kind : kAllKinds) {
    request.kind = kind;
    expect_right(by_level(request, wafers(false)));
  }
}

TEST(ByLevel, EachLevelRunsWhatWasAskedFor) {
  const auto with = [](const char* levels) {
    return by_level(request_on_all(Kind::kAllReduce, Bytes{1e6}, 12), wafers(false), {{"levels", {levels, "here"}}});
  };
  const Schedule schedule = with("ring/halving-doubling");
  EXPECT_EQ(schedule.stages[0].schedule->algorithm, "ring");
  EXPECT_EQ(schedule.stages[1].schedule->algorithm, "halving-doubling");
  expect_right(schedule);
  expect_right(with("auto/ring:stripe=1"));
  for (const char* wrong : {"ring", "ring/ring/ring", "ring/rong", "ring/ring:stripe"}) {
    try {
      with(wrong);
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput) << wrong;
      EXPECT_EQ(error.place(), "here") << wrong;
    }
  }
  // What a level cannot do is told with its name
  try {
    with("in-fabric/ring");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("level 'wafer'"), std::string::npos) << error.message();
  }
}

// A quarter of the vector goes the other way around: every node of a wafer for itself above, where a wafer has 4 vectors, then a third of it
// below. 3 wafers of 4 nodes.
TEST(ByLevel, ShareOfTheVectorIsAddedUpAboveFirst) {
  const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{1e6}, 12);
  const Schedule schedule = by_level(request, wafers(false), {{"above_first", {"0.25", "here"}}});
  expect_right(schedule);
  EXPECT_EQ(stages_of(schedule), (Stages{{0, Kind::kReduceScatter},
                                         {1, Kind::kAllReduce},
                                         {0, Kind::kAllGather},
                                         {1, Kind::kReduceScatter},
                                         {0, Kind::kAllReduce},
                                         {1, Kind::kAllGather}}));
  const std::vector<double> shares = {0.75, 0.75, 0.75, 0.25 * 4, 0.25 / 3, 0.25 * 4};
  for (std::size_t s = 0; s < shares.size(); ++s) {
    EXPECT_DOUBLE_EQ(schedule.stages[s].share, shares[s]) << s;
    EXPECT_EQ(schedule.stages[s].chain, s / 3) << s;
  }
  // All of it, and any groups
  expect_right(by_level(request, wafers(false), {{"above_first", {"1", "here"}}}));
  CollectiveRequest some{.kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {{{9}, {0}, {5}, {8}, {1}, {4}}}};
  expect_right(by_level(some, wafers(false), {{"above_first", {"0.4", "here"}}}));
  // Where it cannot be
  for (const Settings& wrong : {Settings{{"above_first", {"0.5", "here"}}, {"holders", {"one", "here"}}},
                                Settings{{"above_first", {"2", "here"}}}})
    EXPECT_THROW(by_level(request, wafers(false), wrong), Error);
  some.kind = Kind::kBroadcast;
  EXPECT_THROW(by_level(some, wafers(false), {{"above_first", {"0.5", "here"}}}), Error);
}

// A level that averages carries no copies of one unit's numbers. That share is averaged twice: 3 vectors of a wafer of 4 nodes first, and
// then 4, one for each node; nothing below.
TEST(ByLevel, WhatAveragesAveragesTwice) {
  Capabilities fabric = wafers(false);
  Capabilities& above = fabric.parts[1].capabilities;
  above.adjacency = Adjacency::kAny;
  above.reduces = above.multicasts = true;
  above.averaging = AveragingCascade{AveragingTask{}};
  const CollectiveRequest request = request_on_all(Kind::kAllReduce, Bytes{1e6}, 12);
  const Schedule schedule = by_level(request, fabric, {{"above_first", {"0.5", "here"}}});
  expect_right(schedule);
  ASSERT_EQ(schedule.stages.size(), 5u);
  EXPECT_EQ(schedule.stages[3].schedule->kind, Kind::kReduceScatter);
  EXPECT_DOUBLE_EQ(schedule.stages[3].share, 0.5 * 3);
  EXPECT_EQ(schedule.stages[4].schedule->kind, Kind::kAllReduce);
  EXPECT_DOUBLE_EQ(schedule.stages[4].share, 0.5 * 4);
  // More ranks in a unit than units, and positions in any order
  CollectiveRequest some{.kind = Kind::kAllReduce, .bytes = Bytes{1e6}, .groups = {{{9}, {10}, {5}, {8}, {7}, {4}}}};
  expect_right(by_level(some, fabric, {{"above_first", {"1", "here"}}}));
}

// Of a broadcast by all nodes of a wafer each carries a quarter upwards: the root hands out quarters, and wafers put them together.
TEST(ByLevel, RootedKindsMayGoByAllNodesOfAUnit) {
  for (const Kind kind : {Kind::kBroadcast, Kind::kReduce})
    for (const Position root : {0, 6, 11}) {
      CollectiveRequest request = request_on_all(kind, Bytes{1e6}, 12);
      request.root = root;
      const Schedule schedule = by_level(request, wafers(false), {{"holders", {"members", "here"}}});
      expect_right(schedule);
      EXPECT_EQ(stages_of(schedule), kind == Kind::kBroadcast
                                         ? (Stages{{0, kind}, {1, kind}, {0, Kind::kAllGather}})
                                         : (Stages{{0, Kind::kReduceScatter}, {1, kind}, {0, kind}}));
      EXPECT_EQ(schedule.stages[1].teams[0].holders[0].size(), 4u);
    }
}

TEST(ByLevel, NeedsLevels) {
  EXPECT_THROW(by_level(request_on_all(Kind::kAllReduce, Bytes{1e6}, 4), able_fabric()), Error);
}

TEST(ByLevel, LevelsThatAGroupSpans) {
  CollectiveRequest request{.kind = Kind::kAllReduce, .bytes = Bytes{1}, .groups = {{{0}, {3}}}};
  EXPECT_EQ(levels_spanned(request, wafers(false)), 1u);
  request.groups.push_back({{4}, {8}});
  EXPECT_EQ(levels_spanned(request, wafers(false)), 2u);
  EXPECT_EQ(levels_spanned(request, able_fabric()), 0u);
}

}  // namespace
}  // namespace helio::schedule
