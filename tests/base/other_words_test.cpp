// SPDX-License-Identifier: Apache-2.0
#include "base/other_words.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio {
namespace {

const std::vector<std::string> kFabrics = {"ring", "switch", "fat-tree", "fred", "graph", "cluster"};

TEST(OtherWords, StandForTheLegalNameAmongTheirs) {
  EXPECT_EQ(name_for("InfiniBand", kFabrics), "cluster");
  EXPECT_EQ(name_for("leaf_spine", kFabrics), "fat-tree");
  EXPECT_EQ(name_for("gpus", {"fabrics", "npus"}), "npus");
  EXPECT_EQ(name_for("gpus", {"nodes", "rate"}), "nodes");  // a parameter, where there is no list of them
  EXPECT_EQ(name_for("ring", kFabrics), "");
  EXPECT_EQ(name_for("infiniband", {"ring"}), "");
}

// "tree" lies 2 from "fred" and is meant otherwise.
TEST(OtherWords, ComeBeforeWhatLooksAlike) {
  EXPECT_EQ(nearest_name("tree", kFabrics), "fred");
  EXPECT_EQ(unknown_name("fabric", "tree", kFabrics).advice().text().substr(0, 24), "did you mean 'fat-tree'?");
  EXPECT_EQ(unknown_name("fabric", "rign", kFabrics).advice().text().substr(0, 20), "did you mean 'ring'?");
}

}  // namespace
}  // namespace helio
