// SPDX-License-Identifier: Apache-2.0
#include "placement/rank_map.h"

#include <gtest/gtest.h>

#include <set>

#include "placement/models.h"

namespace helio::placement {
namespace {

// tp 2, dp 3, pp 2. Megatron's order: rank = t + 2 d + 6 p.
TEST(RankMap, TheFastestDimensionComesFirst) {
  Strategy s = strategy(2, 2, 3);
  EXPECT_EQ(RankMap(s).node(1, 2, 1).value, 1u + 4u + 6u);
  s.rank_order = {2, 1, 0};  // pp fastest: rank = p + 2 d + 6 t
  EXPECT_EQ(RankMap(s).node(1, 2, 1).value, 1u + 4u + 6u);
  EXPECT_EQ(RankMap(s).node(1, 0, 0).value, 1u);
  EXPECT_EQ(RankMap(s).node(0, 0, 1).value, 6u);
}

TEST(RankMap, StartsWhereTheJobDoes) {
  Strategy s = strategy(2, 1, 1);
  s.first = 40;
  EXPECT_EQ(RankMap(s).node(0, 0, 1).value, 41u);
}

TEST(RankMap, AnExplicitMapIsTaken) {
  Strategy s = strategy(2, 1, 2);
  s.ranks = {9, 3, 5, 7};
  EXPECT_EQ(RankMap(s).node(0, 1, 0).value, 5u);
}

TEST(RankMap, EveryOrderIsOneToOne) {
  for (const std::vector<int>& order :
       {std::vector<int>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    Strategy s = strategy(2, 3, 4);
    s.rank_order = order;
    const RankMap map(s);
    std::set<std::uint32_t> nodes;
    for (int p = 0; p < 3; ++p)
      for (int d = 0; d < 4; ++d)
        for (int t = 0; t < 2; ++t) nodes.insert(map.node(p, d, t).value);
    EXPECT_EQ(nodes.size(), 24u);
    EXPECT_EQ(*nodes.rbegin(), 23u);
  }
}

}  // namespace
}  // namespace helio::placement
