// SPDX-License-Identifier: Apache-2.0
#include "execute/calibrate.h"

#include <gtest/gtest.h>

#include "fabric/electrical/graph_file.h"

namespace helio::execute {
namespace {

// A round of next to nothing takes 1 us; beyond it 2 GB/s while the vector is in the cache and 1 GB/s when it is not.
TEST(Calibrate, EachVectorHasItsRate) {
  const Speed speed = speed_of({{4e3, 1e3, 1e-6}, {1e6, 5e5, 251e-6}, {6e7, 3e7, 30001e-6}});
  EXPECT_DOUBLE_EQ(speed.latency_s, 1e-6);
  EXPECT_NEAR(speed.rates.at(1e6), 2e9, 1);
  EXPECT_NEAR(speed.rates.at(6e7), 1e9, 1);
  EXPECT_DOUBLE_EQ(speed.fastest(), speed.rates.at(1e6));
}

// Of five runs the third by time; of two, half way between them.
TEST(Calibrate, RunsAreToldByTheirMedian) {
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2, 50}), 3);
  EXPECT_DOUBLE_EQ(median({2, 1}), 1.5);
  EXPECT_DOUBLE_EQ(median({7}), 7);
}

// Four ranks on one host share 10 GB/s: three links of a way, of which the memory is one for all.
TEST(Calibrate, OneHostIsOneMemory) {
  Calibration c{.host = {0, 0, 0, 0}};
  c.together = {2e-6, {{1e6, 2.5e9}, {64e6, 1e9}}};
  c.alone = {1e-6, {{1e6, 5e9}, {64e6, 2e9}}};
  const fabric::Graph graph = fabric::parse_graph(graph_text(c), "g");
  EXPECT_EQ(graph.ranks.size(), 4u);
  ASSERT_EQ(graph.arcs.size(), 9u);  // a way in and a way out for each, and the memory
  EXPECT_DOUBLE_EQ(graph.arcs.back().rate.value, 8e10);
  EXPECT_DOUBLE_EQ(graph.arcs.front().rate.value, 4e10);
  ASSERT_EQ(graph.slowings.size(), 9u);
  EXPECT_DOUBLE_EQ(graph.slowing(graph.slowings.back(), Bytes{64e6}), 2.5);
}

// Two hosts of two ranks: what goes to the other pays the rest of its latency on the way out.
TEST(Calibrate, HostsMeetInANetwork) {
  Calibration c{.host = {0, 0, 1, 1}};
  c.together = c.alone = {1e-6, {{1e6, 5e9}}};
  c.between = {11e-6, {{1e6, 1e9}}};
  const fabric::Graph graph = fabric::parse_graph(graph_text(c), "g");
  EXPECT_EQ(graph.ranks.size(), 4u);
  ASSERT_EQ(graph.arcs.size(), 14u);  // 8 of ranks, 2 memories, 4 of the network
  EXPECT_DOUBLE_EQ(graph.arcs[9].rate.value, 1.6e10);
  EXPECT_NEAR(graph.arcs[9].latency->to_seconds(), 10e-6, 1e-12);
}

}  // namespace
}  // namespace helio::execute
