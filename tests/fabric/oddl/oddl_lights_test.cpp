// SPDX-License-Identifier: Apache-2.0
// A slice that grows, on two groups of two nodes: nodes 1 and 2 own class 1, nodes 0 and 3 class 0 (node (h, j): (j + h) mod 2).
#include "fabric/oddl/oddl_lights.h"

#include <gtest/gtest.h>

namespace helio::fabric {
namespace {

constexpr OddlGeometry kSmall{.groups = 2, .nodes_per_group = 2, .channels = 2, .planes = 1};

NodePair pair(std::uint32_t from, std::uint32_t to) { return {NodeId{from}, NodeId{to}}; }

// Adds what is lacking; false: it does not fit.
bool grow(OddlLights& lights, const std::vector<NodePair>& pairs) {
  const auto fit = lights.lacking(pairs);
  if (std::holds_alternative<Unfit>(fit)) return false;
  lights.add(std::get<std::vector<OddlLights::Entry>>(fit));
  return true;
}

TEST(OddlLights, OneLightLeadsFromAGroupToANode) {
  OddlLights lights(kSmall, false);
  ASSERT_TRUE(grow(lights, {pair(0, 2), pair(1, 2), pair(1, 0)}));
  EXPECT_EQ(lights.light(0, NodeId{2}), kSmall.light(0, 0, 1));  // the channel of class 1, from either node
  EXPECT_EQ(lights.light(0, NodeId{0}), kSmall.light(0, 0, 0));
  EXPECT_TRUE(std::get<std::vector<OddlLights::Entry>>(lights.lacking(std::vector{pair(0, 2)})).empty());
}

TEST(OddlLights, WhatIsLitStaysAndWhatDoesNotFitChangesNothing) {
  OddlLights lights(kSmall, false);
  ASSERT_TRUE(grow(lights, {pair(0, 2)}));
  EXPECT_FALSE(grow(lights, {pair(0, 3), pair(0, 1)}));  // class 1 leads to node 2
  ASSERT_TRUE(grow(lights, {pair(1, 0)}));  // class 0 is still dark, although node 3 was refused with node 1
  EXPECT_EQ(lights.light(0, NodeId{2}), kSmall.light(0, 0, 1));
  EXPECT_FALSE(grow(lights, {pair(0, 3)}));
}

TEST(OddlLights, TunableReceiversTakeAnyChannel) {
  OddlLights lights(kSmall, true);
  ASSERT_TRUE(grow(lights, {pair(0, 2), pair(0, 1)}));  // both of class 1
  EXPECT_NE(lights.light(0, NodeId{2}), lights.light(0, NodeId{1}));
  EXPECT_FALSE(grow(lights, {pair(0, 3)}));  // two channels are two nodes
  EXPECT_TRUE(grow(lights, {pair(2, 3)}));   // those of the other group are its own
}

TEST(OddlLights, PlanesFollowFromTheFullestClass) {
  const std::vector<NodePair> all{pair(0, 1), pair(0, 2), pair(0, 3), pair(1, 0)};
  EXPECT_EQ(OddlLights(kSmall, false).planes_for(all), 2u);  // two nodes of class 1, one channel of it on a plane
  EXPECT_EQ(OddlLights(kSmall, true).planes_for(all), 2u);   // four nodes, two channels
  const std::vector<NodePair> two{pair(0, 1), pair(0, 2)};
  EXPECT_EQ(OddlLights(kSmall, false).planes_for(two), 2u);
  EXPECT_EQ(OddlLights(kSmall, true).planes_for(two), 1u);
}

// Two parts: channel 1 of group 0 leads to node 2, then to node 1 (both of class 1).
TEST(OddlLights, ASliceLightsPartByPart) {
  const Slice slice = {{0, 0, 1, 1, 0}, {1, 0, 0, 0, 0}, {0, 0, 1, 0, 1}};
  const std::vector<OddlLights> parts = lights_of(slice, kSmall);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[0].lit(0, NodeId{2}));
  EXPECT_FALSE(parts[0].lit(0, NodeId{1}));
  EXPECT_FALSE(parts[1].lit(0, NodeId{2}));
  EXPECT_EQ(parts[1].light(0, NodeId{1}), kSmall.light(0, 0, 1));
  const OddlUse use = parts[0].use(std::vector{pair(0, 2), pair(1, 2), pair(3, 0)});
  EXPECT_EQ(use.channels, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(use.planes, 1u);
  EXPECT_EQ(use.wavelengths, (std::set<std::uint32_t>{0, 1}));
}

TEST(OddlLights, WhatIsReservedLeadsNowhere) {
  OddlLights mine(kSmall, false), theirs(kSmall, false);
  ASSERT_TRUE(grow(theirs, {pair(0, 2)}));
  mine.reserve(theirs);
  EXPECT_FALSE(mine.lit(0, NodeId{2}));
  EXPECT_FALSE(grow(mine, {pair(0, 1)}));  // class 1 of group 0 is theirs
  EXPECT_TRUE(grow(mine, {pair(0, 3)}));
}

}  // namespace
}  // namespace helio::fabric
