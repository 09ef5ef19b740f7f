// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_slice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::fabric {
namespace {

using schedule::Kind;

std::vector<NodeId> first_nodes(std::uint32_t count) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < count; ++i) nodes.push_back({i});
  return nodes;
}

schedule::Schedule built(const char* algorithm, Kind kind, int ranks, const Settings& settings = {}) {
  schedule::Capabilities anywhere;
  anywhere.nodes = static_cast<std::uint64_t>(ranks);
  return schedule::build(algorithm, schedule::request_on_all(kind, Bytes{1}, ranks), anywhere, settings);
}

std::uint32_t needed(const OddlGeometry& geometry, const char* algorithm, Kind kind = Kind::kAllReduce,
                     const Settings& settings = {}) {
  const auto nodes = first_nodes(geometry.nodes());
  return channels_needed(geometry,
                         pairs_of(built(algorithm, kind, static_cast<int>(geometry.nodes()), settings), nodes));
}

// Node (h, j) owns class (j + h) mod n. On 3 groups of 4: (2, 3) owns (3 + 2) mod 4 = 1; channel 5 is of class 1 and reaches it
// in group 2, and in group 0 node (0, 1).
TEST(OddlSlice, ThePathRule) {
  const OddlGeometry geometry{3, 4, 12, 1};
  EXPECT_EQ(geometry.wavelength_class(NodeId{2 * 4 + 3}), 1u);
  EXPECT_EQ(geometry.reached(2, 5), NodeId{2 * 4 + 3});
  EXPECT_EQ(geometry.reached(0, 5), NodeId{1});
}

RC_GTEST_PROP(OddlSlice, AChannelOfItsClassReachesANode, ()) {
  const OddlGeometry geometry{*rc::gen::inRange(1u, 40u), *rc::gen::inRange(1u, 40u), 0, 1};
  const NodeId node{*rc::gen::inRange(0u, geometry.nodes())};
  const std::uint32_t order = *rc::gen::inRange(0u, 5u);
  RC_ASSERT(geometry.reached(geometry.group_of(node),
                             order * geometry.nodes_per_group + geometry.wavelength_class(node)) == node);
}

// papers/oddl.md 2.2: 32, 64, 192, 1024. Ring: 31 nodes of the own group and one of the next. 2-D: all 32 of the own group and the
// 32 of the next. Halving-doubling: the own 32, and those of the 5 groups at distances 1, 2, 4, 8, 16.
TEST(OddlSlice, ChannelsNeededOn1024Nodes) {
  const OddlGeometry geometry;
  EXPECT_EQ(needed(geometry, "ring"), 32u);
  EXPECT_EQ(needed(geometry, "two-level", Kind::kAllReduce, {{"group", {"32", ""}}}), 64u);
  EXPECT_EQ(needed(geometry, "halving-doubling"), 192u);
  EXPECT_EQ(needed(geometry, "direct", Kind::kAllToAll), 1024u);
}

// A ring of four: 0→1→2→3→0, once for both phases.
TEST(OddlSlice, PairsComeFromASchedule) {
  const std::vector<NodeId> nodes = {{7}, {5}, {6}, {4}};
  const std::vector<NodePair> expected = {{{4}, {7}}, {{5}, {6}}, {{6}, {4}}, {{7}, {5}}};
  EXPECT_EQ(pairs_of(built("ring", Kind::kAllReduce, 4), nodes), expected);

  // One phase of two groups: halving begins at some distance d of 1 and 2, and position p exchanges with p xor d in either group
  const std::vector<std::vector<NodeId>> groups = {{{0}, {1}, {2}, {3}}, {{4}, {5}, {6}, {7}}};
  const std::vector<NodePair> first = pairs_of(built("halving-doubling", Kind::kAllReduce, 4), 0, groups);
  ASSERT_EQ(first.size(), 8u);
  const std::uint32_t distance = first[0].to.value;
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(first[i], (NodePair{NodeId{i}, NodeId{i ^ distance}}));
}

// One group of 2 nodes, another of 2; 4 channels are 2 orders. From group 0 to all four nodes: classes (j+h) mod 2 are 0,1 in
// group 0 and 1,0 in group 1. Node 0 takes channel 0, node 1 channel 1, node 2 (class 1) channel 3, node 3 (class 0) channel 2.
TEST(OddlSlice, FirstFitTakesTheLowestOrder) {
  const OddlGeometry geometry{2, 2, 4, 1};
  const std::vector<NodePair> pairs = {{{0}, {1}}, {{0}, {2}}, {{0}, {3}}, {{1}, {0}}};
  const auto fit = first_fit(geometry, pairs, 1, [](std::uint32_t) { return false; });
  const Slice expected = {{0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 3, 1, 0}, {0, 0, 2, 1, 0}};
  ASSERT_TRUE(std::holds_alternative<Slice>(fit));
  EXPECT_EQ(std::get<Slice>(fit), expected);
  // When channel 1 is someone else's, class 1 has one order left for two nodes
  const auto no = first_fit(geometry, pairs, 1, [](std::uint32_t light) { return light == 1; });
  ASSERT_TRUE(std::holds_alternative<Unfit>(no));
  EXPECT_EQ(std::get<Unfit>(no).wavelength_class, 1u);
  EXPECT_NE(std::get<Unfit>(no).words.find("must reach 4 nodes, 2 of them of wavelength class 1"), std::string::npos)
      << std::get<Unfit>(no).words;
}

// Whatever the pairs and whoever has taken what: every pair finds its light, no light is used twice, none of another's.
RC_GTEST_PROP(OddlSlice, FirstFitIsSoundAndOnlyRefusesAFullClass, ()) {
  const std::uint32_t n = *rc::gen::inRange(1u, 6u);
  const OddlGeometry geometry{*rc::gen::inRange(1u, 6u), n, *rc::gen::inRange(n, 4 * n + 1), *rc::gen::inRange(1u, 4u)};
  const auto node = rc::gen::map(rc::gen::inRange(0u, geometry.nodes()), [](std::uint32_t i) { return NodeId{i}; });
  std::vector<NodePair> pairs;
  for (int i = *rc::gen::inRange(0, 60); i > 0; --i)
    if (const NodePair pair{*node, *node}; pair.from != pair.to) pairs.push_back(pair);
  std::set<std::uint32_t> others;
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) others.insert(*rc::gen::inRange(0u, geometry.lights()));
  const auto taken = [&](std::uint32_t light) { return others.contains(light); };
  const auto fit = first_fit(geometry, pairs, geometry.planes, taken);

  if (const Unfit* unfit = std::get_if<Unfit>(&fit)) {
    std::set<NodeId> wanted;
    for (const NodePair& pair : pairs)
      if (geometry.group_of(pair.from) == unfit->group && geometry.wavelength_class(pair.to) == unfit->wavelength_class)
        wanted.insert(pair.to);
    std::size_t free = 0;
    for (std::uint32_t p = 0; p < geometry.planes; ++p)
      for (std::uint32_t c = unfit->wavelength_class; c < geometry.channels; c += n)
        free += !taken(geometry.light(unfit->group, p, c));
    RC_ASSERT(wanted.size() > free);
    return;
  }
  std::set<std::uint32_t> used;
  std::set<std::pair<std::uint32_t, NodeId>> reached;
  for (const SliceEntry& entry : std::get<Slice>(fit)) {
    const std::uint32_t light = geometry.light(entry.source_group, entry.plane, entry.channel);
    RC_ASSERT(used.insert(light).second && !taken(light));
    RC_ASSERT(reached.insert({entry.source_group, geometry.reached(entry.destination_group, entry.channel)}).second);
  }
  std::set<std::pair<std::uint32_t, NodeId>> wanted;
  for (const NodePair& pair : pairs) wanted.insert({geometry.group_of(pair.from), pair.to});
  RC_ASSERT(reached == wanted);
}

TEST(OddlSlice, AGeometryThatIsNoneIsRefused) {
  for (const OddlGeometry& geometry :
       {OddlGeometry{0, 32, 96, 1}, OddlGeometry{32, 0, 96, 1}, OddlGeometry{32, 32, 31, 1},
        OddlGeometry{32, 32, 96, 0}, OddlGeometry{1u << 20, 1u << 20, 1u << 20, 1}}) {
    try {
      check(geometry);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
    }
  }
}

}  // namespace
}  // namespace helio::fabric
