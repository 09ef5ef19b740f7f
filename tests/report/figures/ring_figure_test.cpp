// SPDX-License-Identifier: Apache-2.0
#include "report/figures/ring_figure.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

// Two sub-trees, one of which has a representative, then a step with more of them than are named.
TEST(RingFigure, NamesSubTreesAndRepresentatives) {
  LitRing ring{.name = "x", .algorithm = "wrht", .fabric = "wdm-ring", .nodes = 40, .wavelengths = 1};
  ring.steps.push_back({.name = "gather 1",
                        .paths = {{.source = 0, .destination = 1}, {.source = 5, .destination = 6, .tree = 1}},
                        .representatives = {1}});
  ring.steps.push_back({.name = "gather 2",
                        .paths = {{.source = 0, .destination = 1}},
                        .representatives = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
  const Figure figure = ring_figure(ring);
  EXPECT_EQ(figure.kind, "ring");
  EXPECT_EQ(figure.words,
            "40 nodes on a ring; wrht. Step 1, gather 1: 2 sub-trees, representative 1. Step 2, gather 2: 1 sub-tree, "
            "representatives 0, 1, 2, 3, "
            "4, 5, 6, 7 and 2 more.");
  EXPECT_EQ(figure.data, to_json(ring));
}

}  // namespace
}  // namespace helio::report
