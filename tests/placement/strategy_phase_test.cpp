// SPDX-License-Identifier: Apache-2.0
#include "placement/strategy_phase.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::placement {
namespace {

schedule::Capabilities wafer() {
  schedule::Capabilities capabilities;
  capabilities.fabric = "fred";
  capabilities.nodes = 20;
  return capabilities;
}

std::vector<std::vector<std::uint32_t>> numbers(const std::vector<std::vector<NodeId>>& groups) {
  std::vector<std::vector<std::uint32_t>> found;
  for (const auto& group : groups) {
    found.emplace_back();
    for (const NodeId node : group) found.back().push_back(node.value);
  }
  return found;
}

std::string complaint(const std::string& strategy, const std::string& phase) {
  try {
    strategy_phase({strategy, "--strategy"}, {phase, "--phase"});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.place() + ": " + error.message();
  }
  return "";
}

TEST(StrategyPhase, ReadsAStrategy) {
  EXPECT_EQ(strategy_phase({"2-5-2", ""}, {"dp", ""}), (StrategyPhase{2, 5, 2, TrainingPhase::kDp}));
  EXPECT_EQ(complaint("2-5", "dp"), "--strategy: '2-5' is no strategy");
  EXPECT_EQ(complaint("2-x-2", "dp"), "--strategy: '2-x-2' is no strategy");
  EXPECT_EQ(complaint("0-5-2", "dp"), "--strategy: a dimension of 0 is not between 1 and 1000000");
  EXPECT_EQ(complaint("2-5-1", "pp"), "--phase: strategy 2-5-1 has no pp phase: its dimension is 1");
  EXPECT_NE(complaint("2-5-2", "tp").find("unknown phase 'tp'"), std::string::npos);
}

// Rank mp + 2·(pp + 2·dp)
TEST(StrategyPhase, DpGroupsVaryDpOnly) {
  EXPECT_EQ(numbers(groups_of({2, 5, 2, TrainingPhase::kDp}, wafer(), "")),
            (std::vector<std::vector<std::uint32_t>>{
                {0, 4, 8, 12, 16}, {1, 5, 9, 13, 17}, {2, 6, 10, 14, 18}, {3, 7, 11, 15, 19}}));
}

TEST(StrategyPhase, PpGroupsGoFromMemberZeroToTheNextStage) {
  // 2-1-3: stages {0,1}, {2,3}, {4,5}
  EXPECT_EQ(numbers(groups_of({2, 1, 3, TrainingPhase::kPp}, wafer(), "")),
            (std::vector<std::vector<std::uint32_t>>{{0, 2, 3}, {2, 4, 5}}));
}

TEST(StrategyPhase, OnAGridNpusFillColumns) {
  // 5x4, node = x + 5·y: NPUs 0..3 are the column x = 0, NPU 4 begins the next
  schedule::Capabilities mesh = wafer();
  mesh.adjacency = schedule::Adjacency::kGrid;
  mesh.dimensions = {5, 4};
  EXPECT_EQ(numbers(groups_of({4, 5, 1, TrainingPhase::kMp}, mesh, "")).front(),
            (std::vector<std::uint32_t>{0, 5, 10, 15}));
  EXPECT_EQ(numbers(groups_of({4, 5, 1, TrainingPhase::kDp}, mesh, "")).front(),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(StrategyPhase, DoNotFit) {
  try {
    groups_of({3, 4, 2, TrainingPhase::kMp}, wafer(), "--strategy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.message(), "strategy 3-4-2 has 24 ranks, and 'fred' has 20 nodes");
  }
}

TEST(StrategyPhase, ThePipelinePhaseIsABroadcast) {
  const StrategyPhase pp{2, 5, 2, TrainingPhase::kPp}, dp{2, 5, 2, TrainingPhase::kDp};
  EXPECT_EQ(kind_of_phase(pp, schedule::Kind::kAllReduce, ""), schedule::Kind::kBroadcast);
  EXPECT_EQ(kind_of_phase(dp, schedule::Kind::kReduceScatter, ""), schedule::Kind::kReduceScatter);
  EXPECT_THROW(kind_of_phase(pp, schedule::Kind::kAllToAll, ""), Error);
}

}  // namespace
}  // namespace helio::placement
