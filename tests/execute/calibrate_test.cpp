// SPDX-License-Identifier: Apache-2.0
#include "execute/calibrate.h"

#include <gtest/gtest.h>

#include "fabric/electrical/graph_file.h"

namespace helio::execute {
namespace {

// On the line 1 us + bytes / (1 GB/s) nothing errs. Two points that a third lies between, as wrong up as down: (1, 1.1), (2, 1.8), (3, 3.3)
// in units of 1 s: the line through 1.0, 2.0, 3.0 errs by 1/11, 1/9, 1/11, so that the best errs by less.
TEST(Calibrate, TheLargestErrorIsLeast) {
  const Line exact = fitted({{1e4, 11e-6}, {1e6, 1001e-6}, {4e6, 4001e-6}});
  EXPECT_NEAR(exact.latency_s, 1e-6, 1e-9);
  EXPECT_NEAR(exact.rate, 1e9, 1e6);
  EXPECT_LT(exact.largest_error, 1e-3);
  EXPECT_LT(fitted({{1, 1.1}, {2, 1.8}, {3, 3.3}}).largest_error, 1.0 / 9);
}

// Four ranks on one host share 10 GB/s: three links of a way, of which the memory is one for all.
TEST(Calibrate, OneHostIsOneMemory) {
  Calibration c{.host = {0, 0, 0, 0}};
  c.together = {2e-6, 2.5e9, 0.01};
  c.alone = {1e-6, 5e9, 0.01};
  const fabric::Graph graph = fabric::parse_graph(graph_text(c), "g");
  EXPECT_EQ(graph.ranks.size(), 4u);
  ASSERT_EQ(graph.arcs.size(), 9u);  // a way in and a way out for each, and the memory
  EXPECT_DOUBLE_EQ(graph.arcs.back().rate.value, 8e10);
  EXPECT_DOUBLE_EQ(graph.arcs.front().rate.value, 4e10);
}

// Two hosts of two ranks: what goes to the other pays the rest of its latency on the way out.
TEST(Calibrate, HostsMeetInANetwork) {
  Calibration c{.host = {0, 0, 1, 1}};
  c.together = c.alone = {1e-6, 5e9, 0.01};
  c.between = {11e-6, 1e9, 0.01};
  const fabric::Graph graph = fabric::parse_graph(graph_text(c), "g");
  EXPECT_EQ(graph.ranks.size(), 4u);
  ASSERT_EQ(graph.arcs.size(), 14u);  // 8 of ranks, 2 memories, 4 of the network
  EXPECT_DOUBLE_EQ(graph.arcs[9].rate.value, 1.6e10);
  EXPECT_NEAR(graph.arcs[9].latency->to_seconds(), 10e-6, 1e-12);
}

}  // namespace
}  // namespace helio::execute
