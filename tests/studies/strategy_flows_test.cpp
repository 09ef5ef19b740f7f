// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/strategy_flows.h"

#include <gtest/gtest.h>

#include "fabric/fred/fred_simulation.h"

namespace helio::studies {
namespace {

using fabric::all_reduce_flow;
using fabric::Flow;
using fabric::FredConfiguration;
using fabric::FredRouting;
using fabric::FredSwitch;
using placement::strategy_phases;
using placement::StrategyPhase;
using placement::TrainingPhase;

// Σ_{n≤20} d₃(n) − Σ_{n≤20} d₂(n) = 152 − 66 = 86 strategies have MP > 1, as many DP > 1, as many PP > 1; likewise for 8:
// 38 − 20 = 18.
TEST(StrategyFlows, ThereAreAsManyAsDivisorsSay) {
  EXPECT_EQ(strategy_phases(8).size(), 3 * 18u);
  EXPECT_EQ(strategy_phases(10).size(), 78u);
  EXPECT_EQ(strategy_phases(12).size(), 117u);
  EXPECT_EQ(strategy_phases(20).size(), 3 * 86u);
}

// The drawing of the header: 2-2-2.
TEST(StrategyFlows, FlowsAreThoseOfTheDrawing) {
  EXPECT_EQ(flows_of({2, 2, 2, TrainingPhase::kMp}),
            (std::vector<Flow>{all_reduce_flow({0, 1}), all_reduce_flow({2, 3}), all_reduce_flow({4, 5}),
                               all_reduce_flow({6, 7})}));
  EXPECT_EQ(flows_of({2, 2, 2, TrainingPhase::kDp}),
            (std::vector<Flow>{all_reduce_flow({0, 4}), all_reduce_flow({1, 5}), all_reduce_flow({2, 6}),
                               all_reduce_flow({3, 7})}));
  EXPECT_EQ(flows_of({2, 2, 2, TrainingPhase::kPp}), (std::vector<Flow>{{{0}, {2, 3}}, {{4}, {6, 7}}}));
  EXPECT_TRUE(flows_of({1, 2, 1, TrainingPhase::kMp}).empty());
  EXPECT_EQ((StrategyPhase{5, 4, 1, TrainingPhase::kDp}.name()), "5-4-1 dp");
}

// papers/fred.md, 2.3: everything at m = 3; 52 of 54, 72 of 78, 105 of 117 and 225 of 258 at m = 2. Nothing is left undecided.
TEST(StrategyFlows, ThreeMiddleSwitchesCarryEveryAlignedStrategy) {
  const std::pair<std::uint32_t, std::uint32_t> at_two[] = {{8, 52}, {10, 72}, {12, 105}, {20, 225}};
  for (const auto& [ports, routed] : at_two) {
    const Flexibility two = flexibility(FredSwitch(ports, 2)), three = flexibility(FredSwitch(ports, 3));
    EXPECT_EQ(two.routed, routed) << ports << " ports";
    EXPECT_EQ(two.blocked.size(), two.phases - routed);
    EXPECT_EQ(three.routed, three.phases) << ports << " ports";
    EXPECT_TRUE(two.undecided.empty() && three.undecided.empty());
  }
}

// Three pairs {0,3}, {1,4}, {2,5} on three edge elements: a triangle. It needs six ports, so m = 2 does up to five.
TEST(StrategyFlows, TheSmallestFailureIsDpOf123) {
  for (std::uint32_t ports = 2; ports <= 5; ++ports) EXPECT_TRUE(flexibility(FredSwitch(ports, 2)).blocked.empty());
  const Flexibility six = flexibility(FredSwitch(6, 2));
  ASSERT_FALSE(six.blocked.empty());
  EXPECT_EQ(six.blocked.front(), (StrategyPhase{1, 2, 3, TrainingPhase::kDp}));
  EXPECT_NE(six.reasons.front().find("flows 0, 1, 2 cannot be in Fred_2(6) together"), std::string::npos);
}

// Ours: m = 3 is enough for every aligned strategy of every switch up to 64 ports, although not for all groups (K4).
TEST(StrategyFlows, ThreeAreEnoughUpToSixtyFourPorts) {
  for (std::uint32_t ports = 2; ports <= 64; ++ports) {
    const Flexibility three = flexibility(FredSwitch(ports, 3));
    EXPECT_EQ(three.routed, three.phases) << ports << " ports";
  }
}

// Every routing of the 258, pushed through the switch.
TEST(StrategyFlows, WhatRoutesComputes) {
  for (const std::uint32_t m : {2u, 3u}) {
    const FredSwitch fred(20, m);
    for (const StrategyPhase& phase : strategy_phases(20)) {
      const std::vector<Flow> flows = flows_of(phase);
      const FredRouting routing = route(fred, flows);
      const auto* configuration = std::get_if<FredConfiguration>(&routing);
      if (!configuration) continue;
      EXPECT_EQ(check_collective(fred, configuration->settings, flows).failure, "") << phase.name();
    }
  }
}

}  // namespace
}  // namespace helio::studies
