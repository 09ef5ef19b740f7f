// SPDX-License-Identifier: Apache-2.0
#include "schedule/tree.h"

#include <bit>
#include <cstdlib>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(Tree, TheBinomialTreeOfTheDrawing) {
  // binary_tree.h: 0-4, then 0-2 4-6, then 0-1 2-3 4-5 6-7.
  const Tree tree = binomial_tree(8, 0);
  const Position expected[][2] = {{0, 4}, {0, 2}, {4, 6}, {0, 1}, {2, 3}, {4, 5}, {6, 7}};
  const std::uint32_t levels[] = {0, 1, 1, 2, 2, 2, 2};
  ASSERT_EQ(tree.edges.size(), 7u);
  EXPECT_EQ(tree.levels, 3u);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(tree.edges[i].parent, expected[i][0]);
    EXPECT_EQ(tree.edges[i].child, expected[i][1]);
    EXPECT_EQ(tree.edges[i].level, levels[i]);
  }
}

TEST(Tree, EveryRankButTheRootHangsOnceBelowARankOfALowerLevel) {
  for (const Position n : two_to_forty_and_some())
    for (const Position root : {Position{0}, n / 2, n - 1}) {
      const Tree tree = binomial_tree(n, root);
      EXPECT_EQ(tree.levels, static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1))));
      std::vector<int> since(static_cast<std::size_t>(n), -2);
      since[static_cast<std::size_t>(root)] = -1;
      ASSERT_EQ(tree.edges.size(), static_cast<std::size_t>(n - 1));
      for (const TreeEdge& edge : tree.edges) {
        const int above = since[static_cast<std::size_t>(edge.parent)];
        EXPECT_NE(above, -2);
        EXPECT_LT(above, static_cast<int>(edge.level));
        EXPECT_EQ(since[static_cast<std::size_t>(edge.child)], -2);
        since[static_cast<std::size_t>(edge.child)] = static_cast<int>(edge.level);
      }
    }
}

TEST(Tree, PiecesClimbAndComeDownAsInTheDrawing) {
  // H = 2 (n = 4), K = 3: level 1 up in rounds [0,3), level 0 up [1,4), level 0 down [2,5), level 1 down [3,6).
  Schedule shape{.kind = Kind::kAllReduce, .ranks = 4, .chunks = 3};
  const Phase phase = climb(shape, {binomial_tree(4, 0)}, 3);
  EXPECT_EQ(phase.repeat, 6u);  // K + 2H - 1
  for (const Move& move : phase.moves) {
    const bool up = move.action == Action::kReduce;
    const bool top = std::abs(move.source - move.destination) == 2;
    EXPECT_EQ(move.first_round, up ? (top ? 1u : 0u) : (top ? 2u : 3u));
    EXPECT_EQ(move.last_round, move.first_round + 3);
  }
}

}  // namespace
}  // namespace helio::schedule
