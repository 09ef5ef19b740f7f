// SPDX-License-Identifier: Apache-2.0
#include "report/figures/ring_figure.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

using fabric::Lightpath;
using fabric::LitRing;
using fabric::LitStep;

// Two sub-trees, one of which has a representative, then a step with more of them than are named.
TEST(RingFigure, NamesSubTreesAndRepresentatives) {
  LitRing ring{.nodes = 40, .wavelengths = 1};
  ring.steps.push_back({.name = "gather 1",
                        .paths = {{.source = 0, .destination = 1}, {.source = 5, .destination = 6, .tree = 1}},
                        .representatives = {1}});
  ring.steps.push_back({.name = "gather 2",
                        .paths = {{.source = 0, .destination = 1}},
                        .representatives = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}});
  const Figure figure = ring_figure(ring, "wrht");
  EXPECT_EQ(figure.kind, "ring");
  EXPECT_EQ(figure.words,
            "40 nodes on a ring; wrht. Step 1, gather 1: 2 sub-trees, representative 1. Step 2, gather 2: 1 sub-tree, "
            "representatives 0, 1, 2, 3, "
            "4, 5, 6, 7 and 2 more.");
  EXPECT_EQ(figure.data, to_json(ring));
}

// Six numbers for each lightpath; bytes once where all carry the same.
TEST(RingFigure, DataOfALitRing) {
  LitRing ring{.nodes = 4, .wavelengths = 2, .steps_left_out = 7};
  ring.steps.push_back(
      {.name = "<i>",
       .rounds = 5,
       .paths = {{.source = 3, .destination = 0, .direction = 0, .first = 1, .width = 1, .bytes = 8, .tree = 0}},
       .representatives = {3}});
  ring.steps.push_back(ring.steps.front());
  ring.steps[1].paths.push_back(
      {.source = 0, .destination = 3, .direction = 1, .first = 0, .width = 2, .bytes = 9, .tree = 1});
  EXPECT_EQ(to_json(ring), nlohmann::ordered_json::parse(R"({"nodes": 4, "wavelengths": 2, "numbered": true, "steps": [
    {"name": "<i>", "rounds": 5, "paths": [3, 0, 0, 1, 1, 0], "hubs": [3], "bytes": 8.0},
    {"name": "<i>", "rounds": 5, "paths": [3, 0, 0, 1, 1, 0, 0, 3, 1, 0, 2, 1], "hubs": [3], "bytes": [8.0, 9.0]}], "cut": 7})"));
}

}  // namespace
}  // namespace helio::report
