// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/grid.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "fabric/timed.h"
#include "fabric/walk.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

// The links from a to b, by name, and the latency.
Walk walk(const std::string& name, const char* dimensions, std::uint32_t a, std::uint32_t b) {
  return fabric::walk(name, settings({{"dimensions", dimensions}, {"latency", "1 s"}}), a, b);
}

std::string error_of(const std::string& name, const Settings& settings) {
  try {
    make(name, settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

TEST(Grid, FirstAlongXThenAlongY) {
  // On 4x3, 1 is (1,0) and 11 is (3,2): 1, 2, 3, then 7, 11. Back: first along x to 9, then 5, 1.
  EXPECT_EQ(walk("mesh", "4x3", 1, 11).links, (std::vector<std::string>{"mesh link 1 to 2", "mesh link 2 to 3",
                                                                        "mesh link 3 to 7", "mesh link 7 to 11"}));
  EXPECT_EQ(walk("mesh", "4x3", 11, 1).links, (std::vector<std::string>{"mesh link 11 to 10", "mesh link 10 to 9",
                                                                        "mesh link 9 to 5", "mesh link 5 to 1"}));
  EXPECT_EQ(walk("mesh", "4x3", 11, 1).latency, 4);
}

TEST(Grid, TheTorusGoesTheShorterWayRound) {
  // Rows of five: 0 to 3 is two back over the edge. Columns of four: one up, (3,0) to (3,1); one down over the edge, to (3,3).
  EXPECT_EQ(walk("torus", "5x4", 0, 8).links,
            (std::vector<std::string>{"torus link 0 to 4", "torus link 4 to 3", "torus link 3 to 8"}));
  EXPECT_EQ(walk("torus", "5x4", 0, 18).links,
            (std::vector<std::string>{"torus link 0 to 4", "torus link 4 to 3", "torus link 3 to 18"}));
  // From the last of a row over the edge to its first; a row of two has one pair of links.
  EXPECT_EQ(walk("torus", "5x2", 9, 0).links, (std::vector<std::string>{"torus link 9 to 5", "torus link 5 to 0"}));
  EXPECT_EQ(walk("torus", "3x3x3", 0, 26).links,
            (std::vector<std::string>{"torus link 0 to 2", "torus link 2 to 8", "torus link 8 to 26"}));
}

TEST(Grid, WhatIsEquallyFarBothWaysGoesHalfEachWay) {
  // Columns of four, (3,0) to (3,2): up over 8, and down over the edge and 18. The row before it is crossed whole.
  const Walk w = walk("torus", "5x4", 0, 13);
  EXPECT_EQ(w.links, (std::vector<std::string>{"torus link 0 to 4", "torus link 4 to 3", "torus link 3 to 8",
                                               "torus link 8 to 13", "torus link 3 to 18", "torus link 18 to 13"}));
  EXPECT_EQ(w.weights, (std::vector<float>{1, 1, 0.5, 0.5, 0.5, 0.5}));
  EXPECT_EQ(w.latency, 4);  // as far either way
  // A mesh has one way, and so has a row of two.
  EXPECT_EQ(walk("mesh", "4", 0, 2).weights, (std::vector<float>{1, 1}));
  EXPECT_EQ(walk("torus", "2", 0, 1).weights, (std::vector<float>{1}));
  // Alone, d bytes at r each way: d/2r.
  const Timed t = time_on("torus", settings({{"dimensions", "4"}, {"rate", "8 b/s"}, {"latency", "0 s"}}), "direct",
                          {Kind::kBroadcast, Bytes{4}, {{NodeId{0}, NodeId{2}}}, 0});
  EXPECT_NEAR(seconds(t), 2, 1e-9);
}

TEST(Grid, AMulticastIsATree) {
  // From 0 of a ring of four to all others: 1 and 2 upwards, 3 over the edge. Both ways to 2 would take a fourth link.
  const auto torus = make("torus", settings({{"dimensions", "4"}, {"multicast", "true"}}));
  flow::Program program;
  const auto carrier = torus->install(program);
  const schedule::Schedule schedule;
  const schedule::CollectiveRequest request;
  const schedule::Move move;
  Way way;
  carrier->add_way(std::vector{NodeId{0}}, std::vector{NodeId{1}, NodeId{2}, NodeId{3}},
                   Carriage{schedule, request, move}, way);
  ASSERT_EQ(way.links.size(), 3u);
  for (const flow::LinkUse& use : way.links) EXPECT_EQ(use.weight, 1);
}

// All-to-all of 1 B a rank at 1 B/s: half of each line of k owes the other half 1/k of every rank's byte, k/2 * k/2 / k = k/4 bytes, or
// (k^2-1)/4k of an odd line, over the two links between them; where k is 2 over one.
double share_of_line(std::uint32_t k) {
  if (k == 2) return 0.5;
  return k % 2 == 0 ? k / 8.0 : (k * k - 1.0) / (8 * k);
}

RC_GTEST_PROP(Grid, AllToAllMeetsTheMiddleOfEveryTorus, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 5);
  std::string dimensions;
  std::uint32_t nodes = 1;
  double expected = 0;
  for (std::size_t d = 0; d < count; ++d) {
    const auto extent = *rc::gen::inRange<std::uint32_t>(d == 0 ? 2 : 1, std::min(12u, 72 / nodes) + 1);
    dimensions += (d == 0 ? "" : "x") + std::to_string(extent);
    nodes *= extent;
    expected = std::max(expected, share_of_line(extent));
  }
  const Timed t =
      time_on("torus", settings({{"dimensions", dimensions.c_str()}, {"rate", "8 b/s"}, {"latency", "0 s"}}), "direct",
              request_on_all(Kind::kAllToAll, Bytes{1}, static_cast<schedule::Position>(nodes)));
  RC_ASSERT(std::abs(seconds(t) - expected) <= 1e-9 * expected);
}

TEST(Grid, EveryWayEndsWhereItShould) {
  // Hops follow each other and are as many as the distance: the sum over dimensions of |dx|, or the shorter way round.
  for (const std::string name : {"mesh", "torus"})
    for (std::uint32_t a = 0; a < 30; ++a)
      for (std::uint32_t b = 0; b < 30; ++b) {
        if (a == b) continue;
        const std::uint32_t extents[] = {5, 1, 3, 2};
        std::uint32_t expected = 0, p = a, q = b;
        for (const std::uint32_t extent : extents) {
          const std::uint32_t apart = p % extent > q % extent ? p % extent - q % extent : q % extent - p % extent;
          expected += name == "torus" ? std::min(apart, extent - apart) : apart;
          p /= extent, q /= extent;
        }
        const Walk w = walk(name, "5x1x3x2", a, b);
        ASSERT_EQ(w.links.size(), expected);
        std::string at = std::to_string(a);
        for (const std::string& link : w.links) {
          const std::string opening = name + " link " + at + " to ";
          ASSERT_TRUE(link.starts_with(opening)) << link << " out of " << at;
          at = link.substr(opening.size());
        }
        ASSERT_EQ(at, std::to_string(b));
      }
}

TEST(Grid, LinksAreCountedOnce) {
  const auto links = [](const char* name, const char* dimensions) {
    return make(name, settings({{"dimensions", dimensions}}))->resources().size();
  };
  EXPECT_EQ(links("mesh", "4x3"), 2u * (3 * 3 + 4 * 2));  // 9 pairs in rows, 8 in columns
  EXPECT_EQ(links("torus", "4x3"), 2u * (4 * 3 + 4 * 3));
  EXPECT_EQ(links("torus", "4x2"), 2u * (4 * 2 + 4 * 1));
  EXPECT_EQ(links("torus", "1"), 0u);
}

TEST(Grid, WhatItCanDo) {
  const auto torus = make("torus", settings({{"dimensions", "8x4x2"}, {"rate", "10 Gb/s"}, {"latency", "1 us"}}));
  const schedule::Capabilities& can = torus->capabilities();
  EXPECT_EQ(can.nodes, 64u);
  EXPECT_EQ(can.adjacency, schedule::Adjacency::kGrid);
  EXPECT_EQ(can.dimensions, (std::vector<long long>{8, 4, 2}));
  EXPECT_TRUE(can.wraps);
  EXPECT_EQ(can.injection.value, 50e9);                  // two, two and one link
  EXPECT_EQ(can.farthest_latency, Time::seconds(7e-6));  // 4 + 2 + 1 hops
  ASSERT_EQ(can.cuts.size(), 3u);
  EXPECT_EQ(can.cuts[0].inside, 32u);
  EXPECT_EQ(can.cuts[0].outward.value, 8 * 2 * 10e9);  // both ends of 4x2 rings
  EXPECT_EQ(can.cuts[2].outward.value, 32 * 10e9);     // 8x4 single pairs

  // 3x3: the middle splits 3 from 6; a corner has two links where the centre has four.
  const auto mesh = make("mesh", settings({{"dimensions", "3x3"}, {"rate", "10 Gb/s"}, {"latency", "1 us"}}));
  EXPECT_EQ(mesh->capabilities().injection.value, 40e9);
  EXPECT_EQ(mesh->capabilities().farthest_latency, Time::seconds(4e-6));
  ASSERT_EQ(mesh->capabilities().cuts.size(), 3u);
  EXPECT_EQ(mesh->capabilities().cuts[0].inside, 3u);
  EXPECT_EQ(mesh->capabilities().cuts[0].outward.value, 30e9);
  EXPECT_EQ(mesh->capabilities().cuts[2].outward.value, 20e9);
}

TEST(Grid, ARingInIndexOrderPaysTwoHopsAtTheEndOfARow) {
  // From the last of a row to the first of the next: over the edge and up, on links that nobody else uses. All rounds take
  // 2 hops and d/n: 2 * 1023 (2 * 0.5 us + 97656.25 B / 50 GB/s) = 6.042 ms.
  const Timed t = time_on("torus", settings({{"dimensions", "32x32"}, {"rate", "400 Gb/s"}, {"latency", "500 ns"}}),
                          "ring", request_on_all(Kind::kAllReduce, Bytes{100e6}, 1024));
  const double expected = 2 * 1023 * (2 * 0.5e-6 + 97656.25 / 50e9);
  EXPECT_NEAR(seconds(t), expected, 1e-12 * expected);
}

TEST(Grid, WaysThatMeetShare) {
  // Reduce onto the corner 0 of a 3x3 mesh, 1 B each at 1 B/s. X first: the link 1 to 0 carries 1 and 2; 3 to 0 carries the other
  // six, 6 s.
  const Timed t = time_on("mesh", settings({{"dimensions", "3x3"}, {"rate", "8 b/s"}, {"latency", "0 s"}}), "direct",
                          request_on_all(Kind::kReduce, Bytes{1}, 9));
  EXPECT_NEAR(seconds(t), 6, 1e-9);
}

TEST(Grid, DimensionsAndNodesMustAgree) {
  EXPECT_EQ(error_of("mesh", settings({{"dimensions", "5x4"}, {"nodes", "16"}})),
            "test: dimensions 5x4 have 20 nodes, not 16; leave nodes out, or give 20");
  EXPECT_NE(error_of("torus", {}).find("needs its dimensions"), std::string::npos);
  EXPECT_NE(error_of("torus", settings({{"dimensions", "65536x65536x65536x65536"}})).find("more than 16777216 nodes"),
            std::string::npos);
  for (const char* nonsense : {"0x4", "4x", "x4", "4*4", "-2x2", "4x4.5", ""})
    EXPECT_NE(error_of("mesh", settings({{"dimensions", nonsense}})), "") << nonsense;
}

TEST(Grid, NodesAloneAreTheMostNearlySquare) {
  const auto shape = [](const char* nodes) {
    return make("torus", settings({{"nodes", nodes}}))->capabilities().dimensions;
  };
  EXPECT_EQ(shape("1024"), (std::vector<long long>{32, 32}));
  EXPECT_EQ(shape("12"), (std::vector<long long>{4, 3}));
  EXPECT_EQ(shape("7"), (std::vector<long long>{7, 1}));
  EXPECT_EQ(shape("1"), (std::vector<long long>{1, 1}));
}

}  // namespace
}  // namespace helio::fabric
