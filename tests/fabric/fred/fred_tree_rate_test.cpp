// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_tree_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "fabric/fred/fred_flows.h"
#include "fabric/fred/fred_tree_simulation.h"

namespace helio::fabric {
namespace {

using Numbers = std::vector<std::uint32_t>;

// papers/fred.md, 2.3: 20 chip-slots (5 planes · 4) for five collectives: each in 4 of 5 planes. With three planes 12 slots: the worst
// has ⌊12/5⌋ = 2; with one plane four of five go, and the fifth has to wait.
TEST(FredTreeRates, SpreadWhatDoesNotFitOverPlanes) {
  const std::vector<Flow> flows = flows_of({5, 4, 1, TrainingPhase::kDp});
  const FredTreeRate rate = best_rate(FredTreeShape{}, flows);
  EXPECT_EQ(rate.rate(), 0.8);
  EXPECT_TRUE(rate.proven);
  EXPECT_EQ(rate.carried_by, Numbers(5, 4));
  ASSERT_EQ(rate.plane.size(), 5u);
  for (const FredPlane& plane : rate.plane) {
    EXPECT_EQ(plane.ways.size(), 4u);
    EXPECT_EQ(check_collective(FredTreeShape{}, plane, flows).failure, "");
  }
  FredTreeShape fewer;
  fewer.planes = 3;
  EXPECT_EQ(best_rate(fewer, flows).worst, 2u);
  fewer.planes = 1;
  EXPECT_EQ(best_rate(fewer, flows).worst, 0u);
}

TEST(FredTreeRates, AreFullWhenOnePlaneCarriesAll) {
  const FredTreeRate rate = best_rate(FredTreeShape{}, flows_of({2, 5, 2, TrainingPhase::kDp}));
  EXPECT_TRUE(rate.full());
  EXPECT_EQ(rate.reason, "");
}

// Against all ways to give each plane a set of flows that routes; and no plane leaves out what it could carry.
TEST(FredTreeRates, AgreeWithTryingEverything) {
  FredTreeShape shape{3, 4, 3, 1, 2, {0, 0, 0}, 2};
  Random random(3);
  std::set<std::uint32_t> seen;
  for (int trial = 0; trial < 200; ++trial) {
    shape.planes = static_cast<std::uint32_t>(1 + random.below(3));
    std::vector<Flow> flows = random_all_reduces(12, 3, random);
    if (flows.size() > 6) flows.resize(6);
    std::vector<std::uint32_t> feasible;  // sets of flows as bits
    for (std::uint32_t set = 0; set < 1u << flows.size(); ++set) {
      Numbers chosen;
      for (std::uint32_t f = 0; f < flows.size(); ++f)
        if (set >> f & 1) chosen.push_back(f);
      if (std::holds_alternative<FredPlane>(route_tree(shape, flows, chosen))) feasible.push_back(set);
    }
    std::uint32_t best = 0;
    Numbers count(flows.size(), 0);
    const std::function<void(std::uint32_t, std::size_t)> add = [&](std::uint32_t plane, std::size_t from) {
      if (plane == shape.planes) {
        best = std::max(best, std::ranges::min(count));
        return;
      }
      for (std::size_t i = from; i < feasible.size(); ++i) {
        for (std::size_t f = 0; f < count.size(); ++f) count[f] += feasible[i] >> f & 1;
        add(plane + 1, i);
        for (std::size_t f = 0; f < count.size(); ++f) count[f] -= feasible[i] >> f & 1;
      }
    };
    add(0, 0);
    const FredTreeRate rate = best_rate(shape, flows);
    ASSERT_EQ(rate.worst, best);
    ASSERT_TRUE(rate.proven);
    seen.insert(rate.planes - rate.worst);
    for (const FredPlane& plane : rate.plane) {
      ASSERT_EQ(check_collective(shape, plane, flows).failure, "");
      std::uint32_t carried = 0;
      for (const TreeWay& way : plane.ways) carried |= 1u << way.flow;
      for (std::uint32_t f = 0; f < flows.size(); ++f)
        ASSERT_TRUE(carried >> f & 1 || std::ranges::find(feasible, carried | 1u << f) == feasible.end());
    }
  }
  EXPECT_GE(seen.size(), 3u);
}

}  // namespace
}  // namespace helio::fabric
