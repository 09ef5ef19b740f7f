// SPDX-License-Identifier: Apache-2.0
#include "schedule/double_binary_tree.h"

#include <algorithm>
#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

std::vector<int> children(const Tree& tree, Position n) {
  std::vector<int> count(static_cast<std::size_t>(n));
  for (const TreeEdge& edge : tree.edges) ++count[static_cast<std::size_t>(edge.parent)];
  return count;
}

TEST(DoubleBinaryTree, TheTreesOfTheDrawing) {
  const std::vector<Tree> trees = two_trees(8, 0);
  const std::set<std::pair<Position, Position>> expected[] = {{{0, 4}, {4, 2}, {4, 6}, {2, 1}, {2, 3}, {6, 5}, {6, 7}},
                                                              {{0, 5}, {5, 3}, {5, 7}, {3, 2}, {3, 4}, {7, 6}, {7, 1}}};
  for (std::size_t t = 0; t < 2; ++t) {
    std::set<std::pair<Position, Position>> edges;
    for (const TreeEdge& edge : trees[t].edges) edges.insert({edge.parent, edge.child});
    EXPECT_EQ(edges, expected[t]);
    EXPECT_EQ(trees[t].levels, 3u);
  }
}

TEST(DoubleBinaryTree, InnerInOneTreeIsALeafOfTheOther) {
  // n-1 ranks below the root: (n-1)/2 of them, rounded down, are inner in each tree, and none in both. The root has one
  // child in each, all others at most two. At most ceil(log2 n) levels.
  for (const Position n : two_to_forty_and_some())
    for (const Position root : {Position{0}, n / 2, n - 1}) {
      const std::vector<Tree> trees = two_trees(n, root);
      const std::vector<int> first = children(trees[0], n), second = children(trees[1], n);
      int inner = 0;
      for (Position p = 0; p < n; ++p) {
        const auto at = static_cast<std::size_t>(p);
        if (p == root) {
          EXPECT_EQ(first[at], 1);
          EXPECT_EQ(second[at], 1);
          continue;
        }
        EXPECT_TRUE(first[at] == 0 || second[at] == 0) << "rank " << p << " of " << n;
        EXPECT_LE(std::max(first[at], second[at]), 2);
        inner += first[at] + second[at] > 0;
      }
      EXPECT_EQ(inner, (n - 1) / 2 * 2);
      for (const Tree& tree : trees) {
        EXPECT_EQ(tree.edges.size(), static_cast<std::size_t>(n - 1));
        EXPECT_LE(tree.levels, static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1))));
      }
    }
}

TEST(DoubleBinaryTree, RoundsAndBytes) {
  // K = 5 pieces of M/10 in each tree. Broadcast: an inner rank sends to at most 2 children, 2K slots of 2K: M.
  // All-reduce: a rank sends up in both trees and down to at most 2 children, 4K slots: 2M. K+H-1 and K+2H-1 rounds, H
  // the levels of the deeper tree.
  for (const Position n : two_to_forty_and_some()) {
    const std::vector<Tree> trees = two_trees(n, 0);
    const std::uint64_t levels = std::max(trees[0].levels, trees[1].levels);
    const Schedule broadcast = build_case("double-binary-tree", Kind::kBroadcast, n);
    const Schedule reduce = build_case("double-binary-tree", Kind::kReduce, n);
    const Schedule both = build_case("double-binary-tree", Kind::kAllReduce, n);
    EXPECT_EQ(rounds(broadcast), 5 + levels - 1);
    EXPECT_EQ(rounds(reduce), 5 + levels - 1);
    EXPECT_EQ(rounds(both), 5 + 2 * levels - 1);
    for (Position p = 0; p < n; ++p) {
      EXPECT_LE(slots_sent(broadcast, p), 10u);
      EXPECT_EQ(slots_sent(reduce, p), p == 0 ? 0u : 10u);
      EXPECT_LE(slots_sent(both, p), 20u);
    }
  }
}

TEST(DoubleBinaryTree, ThePiecesFollowTheFabric) {
  // (K+H'-1)(a + t/K) is least at K = sqrt((H'-1) t/a). n = 16: H = 4, broadcast. A port of one link: an inner rank
  // sends two pieces in a round, so t is that of 1 MB at 8 Gb/s = 1 ms; a = 30 us: sqrt(3 * 1000/30) = 10. Two links or
  // more: 0.5 MB: sqrt(50) = 7.07. All-reduce: H' = 8, four pieces: t = 2 ms: sqrt(7 * 2000/30) = 21.6.
  Capabilities fabric;
  fabric.link_rate = fabric.injection = BitRate{8e9};
  fabric.nearest_latency = Time::microseconds(30);
  const auto pieces = [&](Kind kind) {
    return build("double-binary-tree", request_on_all(kind, Bytes{1e6}, 16), fabric).chunks / 2;
  };
  EXPECT_EQ(pieces(Kind::kBroadcast), 10u);
  EXPECT_EQ(pieces(Kind::kAllReduce), 22u);
  fabric.injection = BitRate{32e9};
  EXPECT_EQ(pieces(Kind::kBroadcast), 7u);
}

}  // namespace
}  // namespace helio::schedule
