// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "fabric/fred/fred_flows.h"
#include "fabric/fred/fred_simulation.h"
#include "fabric/fred/fred_tree_simulation.h"

namespace helio::fabric {
namespace {

using Numbers = std::vector<std::uint32_t>;

FredTreeShape wafer(std::uint32_t middles) {
  FredTreeShape shape;
  shape.middles = middles;
  return shape;
}

bool one_each(Numbers place, std::uint32_t below) {
  std::ranges::sort(place);
  return std::ranges::adjacent_find(place) == place.end() && (place.empty() || place.back() < below);
}

// The flows, moved, as numbers through the fabric: "" when every collective comes out.
std::string computed(const FredTarget& target, const std::vector<Flow>& flows, const Numbers& place) {
  std::vector<Flow> there;
  for (const Flow& flow : flows) there.push_back(moved(flow, place));
  if (const auto* tree = std::get_if<FredTreeShape>(&target)) {
    const FredTreeRouting routing = route_tree(*tree, there);
    const auto* plane = std::get_if<FredPlane>(&routing);
    return plane ? check_collective(*tree, *plane, there).failure : "blocked";
  }
  const FredSwitch fred(std::get<FredFlat>(target).ports, std::get<FredFlat>(target).middles);
  const FredRouting routing = route(fred, there);
  const auto* configuration = std::get_if<FredConfiguration>(&routing);
  return configuration ? check_collective(fred, configuration->settings, there).failure : "blocked";
}

struct Tally {
  std::uint32_t phases = 0, computed = 0;
  std::vector<std::string> moved;  // strategies that are not where the paper has them
};

// One placement for all phases of each strategy of at most 20 NPUs.
Tally place_all(const FredTarget& target) {
  Tally tally;
  for (std::uint32_t mp = 1; mp <= 20; ++mp)
    for (std::uint32_t dp = 1; dp <= 20 / mp; ++dp)
      for (std::uint32_t pp = 1; pp <= 20 / mp / dp; ++pp) {
        const FredPlacement placement = place_strategy(target, mp, dp, pp);
        EXPECT_EQ(placement.place.size(), mp * dp * pp);
        EXPECT_TRUE(one_each(placement.place, 20));
        EXPECT_EQ(worst_rate(placement), 1) << placement.reason;
        if (placement.how != "paper")
          tally.moved.push_back(std::to_string(mp) + "-" + std::to_string(dp) + "-" + std::to_string(pp));
        for (const TrainingPhase phase : {TrainingPhase::kMp, TrainingPhase::kDp, TrainingPhase::kPp}) {
          const std::vector<Flow> flows = flows_of({mp, dp, pp, phase});
          if (flows.empty()) continue;
          ++tally.phases;
          const std::string failure = computed(target, flows, placement.place);
          EXPECT_EQ(failure, "") << StrategyPhase{mp, dp, pp, phase}.name() << ", " << placement.how;
          tally.computed += failure.empty();
        }
      }
  return tally;
}

// The four strategies that papers/fred.md, 2.3 finds blocked on the tree need another placement, and no other does.
TEST(FredPlacement, EveryStrategyRoutesOnTheTreeAtFullRate) {
  const Tally tally = place_all(wafer(3));
  EXPECT_EQ(tally.phases, 258u);
  EXPECT_EQ(tally.computed, 258u);
  EXPECT_EQ(tally.moved, (std::vector<std::string>{"1-3-5", "1-4-5", "5-3-1", "5-4-1"}));
}

// Ours: with a placement of their own two middle switches carry every strategy, in the tree and in one Fred_2(20), where the paper's
// placement blocks 29 and 33 phases, each of another strategy.
TEST(FredPlacement, TwoMiddleSwitchesAreEnoughForEveryStrategy) {
  const Tally tree = place_all(wafer(2)), flat = place_all(FredFlat{20, 2});
  EXPECT_EQ(tree.computed, 258u);
  EXPECT_EQ(tree.moved.size(), 258u - 229u);
  EXPECT_EQ(flat.computed, 258u);
  EXPECT_EQ(flat.moved.size(), 258u - 225u);
}

// On one Fred_3(20) the paper's placement is enough for all of them (papers/fred.md, 2.3).
TEST(FredPlacement, ThePaperIsRightAboutOneFlatSwitch) { EXPECT_TRUE(place_all(FredFlat{20, 3}).moved.empty()); }

// The drawing of the header: five dp groups, each in an L1 of its own; so the four mp groups have a member in every L1.
TEST(FredPlacement, DpGroupsOf541StayInTheirL1) {
  const FredPlacement placement = place_strategy(wafer(3), 5, 4, 1);
  ASSERT_EQ(placement.outcome, PlacementOutcome::kFound);
  for (const Flow& group : flows_of({5, 4, 1, TrainingPhase::kDp})) {
    std::set<std::uint32_t> l1s;
    for (const std::uint32_t rank : group.inputs) l1s.insert(placement.place[rank] / 4);
    EXPECT_EQ(l1s.size(), 1u);
  }
}

// One L2 chip with one link each way. 3-1-5 dense: mp groups {3,4,5} and {6,7,8} both cross the border of L1 1, which has one
// uplink; pp fastest is worse. With mp groups whole, one in each L1, only the pipeline crosses: one up from each stage, one down.
TEST(FredPlacement, BlocksStayWholeWhereDenseOnesCross) {
  FredTreeShape shape = wafer(3);
  shape.chips_per_plane = shape.links_per_chip = 1;
  PlacementOptions options;
  options.swaps = 0;
  const FredPlacement placement = place_strategy(shape, 3, 1, 5, options);
  EXPECT_EQ(placement.outcome, PlacementOutcome::kFound) << placement.reason;
  for (std::uint32_t rank = 0; rank < 15; ++rank) EXPECT_EQ(placement.place[rank] / 4, rank / 3);
}

// One L2 chip with one link to each of five L1s. Four mp groups of five need two L1s each at least: the chip carries two. No
// placement helps; the best leaves some of the planes to each group.
TEST(FredPlacement, ACountShowsThatThereIsNone) {
  FredTreeShape shape = wafer(3);
  shape.chips_per_plane = shape.links_per_chip = 1;
  const FredPlacement placement = place_strategy(shape, 5, 4, 1);
  EXPECT_EQ(placement.outcome, PlacementOutcome::kImpossible);
  EXPECT_NE(placement.reason.find("take 2 or more links of an L2 chip each; a chip has 5, so 1 chips carry at most 2"),
            std::string::npos)
      << placement.reason;
  EXPECT_GT(worst_rate(placement), 0);
  EXPECT_LT(worst_rate(placement), 1);
}

// Two L1s of two NPUs with one link: the three ways to pair four nodes, one after the other. Wherever they are, one way has its pairs inside
// L1s and the others have two pairs across one link. No count sees that, so it is "not found".
TEST(FredPlacement, NotFoundIsNotImpossible) {
  const FredTreeShape shape{2, 2, 1, 1, 1, {0, 0}, 3};
  const std::vector<FredPhaseFlows> phases{{all_reduce_flow({0, 1}), all_reduce_flow({2, 3})},
                                           {all_reduce_flow({0, 2}), all_reduce_flow({1, 3})},
                                           {all_reduce_flow({0, 3}), all_reduce_flow({1, 2})}};
  PlacementOptions options;
  options.swaps = 50;
  const FredPlacement placement = replace_flows(shape, phases, options);
  EXPECT_EQ(placement.outcome, PlacementOutcome::kNotFound);
  EXPECT_EQ(std::ranges::count(placement.rates, 1.0), 1);
  EXPECT_EQ(placement.tried, 4u + 50u);  // as it is, one packing per phase, swaps
}

// K4 on Fred_3(12) and the triangle on Fred_2(8) (papers/fred.md, 2.3), and dp of 5-4-1 in the tree: blocked where they are.
TEST(FredPlacement, BlockedGroupsFindOtherNodes) {
  const std::pair<FredTarget, std::vector<Numbers>> cases[] = {
      {FredFlat{12, 3}, {{0, 2, 4}, {1, 6, 8}, {3, 7, 10}, {5, 9, 11}}},
      {FredFlat{8, 2}, {{0, 2}, {1, 4}, {3, 5}, {6, 7}}},
      {wafer(3), {{0, 5, 10, 15}, {1, 6, 11, 16}, {2, 7, 12, 17}, {3, 8, 13, 18}, {4, 9, 14, 19}}}};
  for (const auto& [target, groups] : cases) {
    Numbers identity(places(target));
    std::iota(identity.begin(), identity.end(), 0u);
    std::vector<Flow> flows;
    for (const Numbers& group : groups) flows.push_back(all_reduce_flow(group));
    EXPECT_EQ(computed(target, flows, identity), "blocked");
    const FredPlacement placement = replace_groups(target, groups);
    ASSERT_EQ(placement.outcome, PlacementOutcome::kFound) << placement.reason;
    EXPECT_EQ(placement.place.size(), places(target));
    EXPECT_TRUE(one_each(placement.place, places(target)));
    EXPECT_EQ(computed(target, flows, placement.place), "");
  }
}

TEST(FredPlacement, WhatRoutesStaysWhereItIs) {
  const FredPlacement placement = replace_groups(wafer(3), std::vector<Numbers>{{0, 4}, {1, 2}});
  EXPECT_EQ(placement.how, "as it is");
  EXPECT_EQ(placement.tried, 1u);
  EXPECT_EQ(placement.place[7], 7u);
}

// What is found does route, and the same seed finds the same; I/O controllers (ends 20 … 37) are not moved.
TEST(FredPlacement, FindsForRandomGroups) {
  Random random(5);
  int moved_some = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const FredTarget target = trial % 2 == 0 ? FredTarget(wafer(2)) : FredTarget(FredFlat{20, 2});
    const std::vector<Numbers> groups = random_groups(20, 6, random);
    const FredPlacement placement = replace_groups(target, groups), again = replace_groups(target, groups);
    ASSERT_EQ(placement.place, again.place);
    std::vector<Flow> flows;
    for (const Numbers& group : groups) flows.push_back(all_reduce_flow(group));
    ASSERT_EQ(placement.outcome == PlacementOutcome::kFound, computed(target, flows, placement.place).empty());
    moved_some += placement.outcome == PlacementOutcome::kFound && placement.how != "as it is";
  }
  EXPECT_GT(moved_some, 5);
  EXPECT_EQ(moved(Numbers{1, 20}, Numbers{5, 6}), (Numbers{6, 20}));
}

TEST(FredPlacement, RefusesWhatHasNoPlace) {
  EXPECT_THROW(place_strategy(wafer(3), 3, 7, 1), Error);
  EXPECT_THROW(place_strategy(wafer(3), 0, 7, 1), Error);
  EXPECT_THROW(place_ranks(FredFlat{20, 3}, {0xffffffff, 0xffffffff, 2}, {}), Error);
  EXPECT_THROW(replace_groups(FredFlat{8, 3}, std::vector<Numbers>{{0, 8}}), Error);
}

}  // namespace
}  // namespace helio::fabric
