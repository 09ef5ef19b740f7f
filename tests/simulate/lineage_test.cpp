// SPDX-License-Identifier: Apache-2.0
#include "simulate/lineage.h"

#include <gtest/gtest.h>

namespace helio::simulate {
namespace {

TEST(Lineages, TheChainSurvivesAClosedFrame) {
  Lineages lineages;
  const auto root = lineages.open(Lineages::kNone, 0), middle = lineages.open(root, 1), leaf = lineages.open(middle, 2);
  lineages.hold(leaf);  // a channel remembers it
  lineages.close(leaf);
  EXPECT_EQ(lineages.frame(leaf), Lineages::kNone);
  EXPECT_EQ(lineages.parent(leaf), middle);
  const auto other = lineages.open(root, 3);
  EXPECT_EQ(lineages.common(leaf, other), root);
  EXPECT_TRUE(lineages.inside(leaf, middle));
  EXPECT_FALSE(lineages.inside(other, middle));
  EXPECT_TRUE(lineages.inside(root, root));
}

TEST(Lineages, AFreedOneIsUsedAgainOnlyWhenNobodyHoldsIt) {
  Lineages lineages;
  const auto root = lineages.open(Lineages::kNone, 0), a = lineages.open(root, 1);
  lineages.hold(a);
  lineages.close(a);
  EXPECT_NE(lineages.open(root, 2), a);
  lineages.drop(a);
  EXPECT_EQ(lineages.open(root, 3), a);
}

}  // namespace
}  // namespace helio::simulate
