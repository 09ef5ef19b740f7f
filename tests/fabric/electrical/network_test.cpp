// SPDX-License-Identifier: Apache-2.0
// What fabrics show of their links (schedule/network.h) is what they carry on.
#include "schedule/network.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Network;

// Whatever goes from a to b by itself goes along arcs that follow each other, at their rates and with their latencies.
void expect_ways_on_arcs(const std::string& name, const Settings& given) {
  SCOPED_TRACE(name);
  const auto fabric = make(name, given);
  ASSERT_TRUE(fabric->capabilities().network);
  const Network network = fabric->capabilities().network();
  ASSERT_EQ(network.nodes, fabric->capabilities().nodes);
  flow::Program program;
  const auto carrier = fabric->install(program);
  std::set<std::uint32_t> links;
  for (const Network::Arc& arc : network.arcs) {
    EXPECT_LT(std::max(arc.from, arc.to), network.vertices);
    EXPECT_TRUE(links.insert(arc.link).second) << "two arcs share link " << arc.link;
    EXPECT_EQ(program.resources.rate(flow::ResourceId{arc.link}).value, arc.rate.value);
  }
  const schedule::Schedule schedule;
  const schedule::CollectiveRequest request;
  const schedule::Move move;
  for (std::uint32_t a = 0; a < network.nodes; ++a)
    for (std::uint32_t b = 0; b < network.nodes; ++b) {
      if (a == b) continue;
      Way way;
      carrier->add_way(NodeId{a}, NodeId{b}, Carriage{schedule, request, move}, way);
      std::uint32_t at = a;
      Time latency;
      for (const flow::LinkUse& use : way.links) {
        const auto arc = std::ranges::find(network.arcs, use.link.value, &Network::Arc::link);
        ASSERT_NE(arc, network.arcs.end());
        EXPECT_EQ(arc->from, at) << program.resources.name(use.link);
        EXPECT_EQ(use.weight, 1);
        at = arc->to;
        latency += arc->latency;
      }
      EXPECT_EQ(at, b);
      EXPECT_EQ(latency, way.latency);
      EXPECT_EQ(way.bytes_factor, 1);
    }
}

TEST(Networks, WaysOfEveryFabricAreOnItsArcs) {
  expect_ways_on_arcs("ring", settings({{"nodes", "7"}}));
  expect_ways_on_arcs("ring", settings({{"nodes", "2"}}));
  expect_ways_on_arcs("full-mesh", settings({{"nodes", "5"}}));
  expect_ways_on_arcs("switch", settings({{"nodes", "6"}}));
  expect_ways_on_arcs("mesh", settings({{"dimensions", "4x3"}}));
  expect_ways_on_arcs("mesh", settings({{"dimensions", "2x3x2"}}));
  expect_ways_on_arcs("torus", settings({{"dimensions", "5x3"}}));  // odd sides: nothing goes both ways round
  expect_ways_on_arcs("torus", settings({{"dimensions", "3x2x5"}}));
  for (const char* routing : {"ecmp", "static", "spray"})
    for (const char* order : {"host", "random"})
      expect_ways_on_arcs("fat-tree", settings({{"k", "4"},
                                                {"nodes", "13"},
                                                {"routing", routing},
                                                {"rank_order", order},
                                                {"oversubscription", "2"},
                                                {"oversubscribed", "aggregation"}}));
  for (const char* nodes : {"4", "8", "20"})
    for (const char* network : {"rails", "fat-tree"})
      expect_ways_on_arcs("cluster", settings({{"nodes", nodes},
                                               {"npus_per_node", "4"},
                                               {"protocol", "none"},
                                               {"network", network},
                                               {"leaf", "2"},
                                               {"oversubscription", "2"}}));
  expect_ways_on_arcs("cluster", settings({{"nodes", "3"}, {"npus_per_node", "1"}, {"protocol", "none"}}));
}

// Messages pay for protocols on top of links; four NPUs that have two NICs meet on their way to them. Light has no links.
TEST(Networks, WhatIsMoreThanLinksIsNotShown) {
  EXPECT_FALSE(make("cluster", settings({{"nodes", "16"}}))->capabilities().network);
  EXPECT_FALSE(make("cluster", settings({{"nodes", "8"}, {"npus_per_node", "4"}, {"nics", "2"}, {"protocol", "none"}}))
                   ->capabilities()
                   .network);
  EXPECT_FALSE(make("wdm-ring", settings({{"nodes", "8"}}))->capabilities().network);
  const auto fabric = make("cluster", settings({{"nodes", "16"}}));
  EXPECT_THROW(schedule::build("fitted", schedule::request_on_all(schedule::Kind::kAllGather, Bytes{1e6}, 16),
                               fabric->capabilities()),
               Error);
}

// 3x4x5 looks the same from everywhere: 59 parts over 6 links in six pieces, five rounds of 0.5 us as far as it is.
TEST(Networks, ATorusOfThreeUnequalSidesIsFilled) {
  const Timed t = time_on("torus", settings({{"dimensions", "3x4x5"}, {"rate", "400 Gb/s"}, {"latency", "500 ns"}}),
                          "fitted", schedule::request_on_all(schedule::Kind::kAllGather, Bytes{1e9}, 60));
  const double expected = 59.0 / 6 * 1e9 / 60 / 50e9 + 5 * 0.5e-6;
  EXPECT_NEAR(seconds(t), expected, 1e-9 * expected);
}

}  // namespace
}  // namespace helio::fabric
