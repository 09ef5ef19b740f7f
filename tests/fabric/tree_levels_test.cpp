// SPDX-License-Identifier: Apache-2.0
#include "fabric/tree_levels.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace helio::fabric {
namespace {

TreeLevels tree(std::vector<long long> radix) { return TreeLevels(radix); }

std::vector<NodeId> nodes(std::vector<std::uint32_t> numbers) {
  std::vector<NodeId> found;
  for (const std::uint32_t n : numbers) found.push_back({n});
  return found;
}

TEST(TreeLevels, CountsTheWafer) {
  // 4x5: 20 NPUs, 5 L1 switches, 1 L2
  const TreeLevels wafer = tree({4, 5});
  EXPECT_EQ(wafer.nodes(), 20u);
  EXPECT_EQ(wafer.switches(0), 20u);
  EXPECT_EQ(wafer.switches(1), 5u);
  EXPECT_EQ(wafer.switches(2), 1u);
  EXPECT_EQ(wafer.span(1), 4u);
}

TEST(TreeLevels, MeetsAsLowAsItCan) {
  const TreeLevels wafer = tree({4, 5});
  EXPECT_EQ(wafer.meeting(nodes({4, 7, 5})), 1u);  // all under L1 switch 1
  EXPECT_EQ(wafer.meeting(nodes({3, 4})), 2u);     // neighbours in number, of two switches
  EXPECT_EQ(wafer.meeting(nodes({19})), 1u);       // one alone: its own switch
  const TreeLevels wafers = tree({4, 8, 32});
  EXPECT_EQ(wafers.meeting(nodes({0, 31})), 2u);  // one wafer of 32
  EXPECT_EQ(wafers.meeting(nodes({31, 32})), 3u);
}

// By definition, over random sets: the switches above are those of the members, and their members below add up to all.
TEST(TreeLevels, EveryMemberIsBelowOneSwitchOfALevel) {
  const TreeLevels levels = tree({3, 2, 5});
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<NodeId> members;
    for (std::uint32_t node = 0; node < levels.nodes(); ++node)
      if (random.below(4) == 0) members.push_back({node});
    if (members.empty()) continue;
    for (std::uint32_t level = 0; level <= levels.levels(); ++level) {
      std::uint32_t sum = 0;
      for (const std::uint32_t which : levels.above(members, level)) {
        EXPECT_GT(levels.below(members, level, which), 0u);
        sum += levels.below(members, level, which);
      }
      EXPECT_EQ(sum, members.size());
      EXPECT_EQ(levels.above(members, level).size() == 1, level >= levels.meeting(members) || members.size() == 1);
    }
  }
}

}  // namespace
}  // namespace helio::fabric
