// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/cluster.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "fabric/routed.h"
#include "fabric/timed.h"
#include "fabric/walk.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;
using Names = std::vector<std::string>;

// Round numbers: servers of 4; 1 B/s and 1 s per hop inside, 0.5 B/s and 10 s per hop between servers; nothing else costs.
Settings plain(std::initializer_list<std::pair<const char*, const char*>> more) {
  Settings all = settings({{"npus_per_node", "4"},
                           {"rate", "8 b/s"},
                           {"latency", "1 s"},
                           {"efficiency", "1"},
                           {"network_rate", "4 b/s"},
                           {"network_latency", "10 s"},
                           {"network_efficiency", "1"},
                           {"protocol", "none"},
                           {"launch", "0 s"}});
  for (const auto& [name, value] : more) all[name] = {value, "test"};
  return all;
}

schedule::CollectiveRequest among(Kind kind, double bytes, std::vector<std::vector<std::uint32_t>> groups) {
  schedule::CollectiveRequest request{kind, Bytes{bytes}, {}, 0};
  for (const auto& group : groups) {
    request.groups.emplace_back();
    for (const std::uint32_t node : group) request.groups.back().push_back(NodeId{node});
  }
  return request;
}

// Of 6 B from the first to the second of each pair, all at once.
double transfer_seconds(const Settings& fabric, std::vector<std::vector<std::uint32_t>> pairs) {
  return seconds(time_on("cluster", fabric, "direct", among(Kind::kBroadcast, 6, std::move(pairs))));
}

Names links(const Settings& settings, std::uint32_t a, std::uint32_t b) {
  return walk("cluster", settings, a, b).links;
}

std::string error_of(const Settings& settings) {
  try {
    make("cluster", settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

TEST(Cluster, InAServerOnlyTheSwitchIsCrossed) {
  // 2 hops of 1 s, 6 B at 1 B/s.
  EXPECT_NEAR(transfer_seconds(plain({{"nodes", "8"}}), {{4, 7}}), 2 + 6, 1e-9);
  EXPECT_EQ(links(plain({{"nodes", "8"}}), 4, 7), (Names{"NVLink port of NPU 4, out", "NVLink port of NPU 7, in"}));
}

TEST(Cluster, OnARailOnlyTwoNicsAreCrossed) {
  // 2 network hops of 10 s, 6 B at 0.5 B/s. Four rails carry four of them at once.
  EXPECT_NEAR(transfer_seconds(plain({{"nodes", "8"}}), {{1, 5}}), 20 + 12, 1e-9);
  EXPECT_NEAR(transfer_seconds(plain({{"nodes", "8"}}), {{0, 4}, {1, 5}, {2, 6}, {3, 7}}), 20 + 12, 1e-9);
  EXPECT_EQ(links(plain({{"nodes", "8"}}), 1, 5), (Names{"NIC 1 of server 0, out", "NIC 1 of server 1, in"}));
}

TEST(Cluster, ToAnotherRailTheSendersNeighbourHandsOn) {
  // Both kinds of hops, two of each; the network is the narrower: 2 + 20 + 12 s. The picture of cluster.h: 0 to 7 is 0, 3, 7.
  EXPECT_NEAR(transfer_seconds(plain({{"nodes", "8"}}), {{0, 7}}), 2 + 20 + 12, 1e-9);
  EXPECT_EQ(links(plain({{"nodes", "8"}}), 0, 7), (Names{"NVLink port of NPU 0, out", "NVLink port of NPU 3, in",
                                                         "NIC 3 of server 0, out", "NIC 3 of server 1, in"}));
  // 3 -> 7 wants the same NICs. It has them alone for 2 s and 1 B; then both get a half, 0.25 B/s, until its other 5 B are through at
  // 22 + 20 s. 0 -> 7 has sent 5 B by then, and sends its last alone: 2 s more.
  const Settings both = plain({{"nodes", "8"}});
  EXPECT_NEAR(seconds(time_on("cluster", both, "direct", among(Kind::kReduce, 6, {{7, 0, 3}}))), 22 + 20 + 2, 1e-9);
}

TEST(Cluster, NpusThatShareANicShareItsRail) {
  // Two NICs for four NPUs: 0 and 1 use the first. 0 -> 5 stays on its rail; 0 -> 4 beside 1 -> 5 gets half: 20 + 24 s.
  const Settings shared = plain({{"nodes", "8"}, {"nics", "2"}});
  EXPECT_EQ(links(shared, 0, 5), (Names{"NIC 0 of server 0, out", "NIC 0 of server 1, in"}));
  EXPECT_EQ(links(shared, 3, 4), (Names{"NVLink port of NPU 3, out", "NVLink port of NPU 0, in",
                                        "NIC 0 of server 0, out", "NIC 0 of server 1, in"}));
  EXPECT_NEAR(transfer_seconds(shared, {{0, 4}, {1, 5}}), 20 + 24, 1e-9);
}

TEST(Cluster, AFatTreeHasTwoHopsOnALeafAndFourBetweenLeaves) {
  // Leaves of 2 servers, 4 uplinks each for 8 NICs where oversubscribed by 2. Rails do not exist: 0 -> 5 needs no switch.
  const Settings tree = plain({{"nodes", "16"}, {"network", "fat-tree"}, {"oversubscription", "2"}});
  EXPECT_EQ(links(tree, 0, 5), (Names{"NIC 0 of server 0, out", "NIC 1 of server 1, in"}));
  EXPECT_EQ(links(tree, 0, 9).size(), 4u);
  EXPECT_NEAR(transfer_seconds(tree, {{0, 5}}), 20 + 12, 1e-9);
  EXPECT_NEAR(transfer_seconds(tree, {{0, 9}}), 40 + 12, 1e-9);
}

TEST(Cluster, OversubscriptionTakesUplinksAway) {
  // Leaves of one server with 4 NICs. By 4: one uplink of 0.5 B/s, whole for one flow, a quarter for each of four.
  const Settings one = plain({{"nodes", "8"}, {"network", "fat-tree"}, {"leaf", "1"}, {"oversubscription", "4"}});
  EXPECT_NEAR(transfer_seconds(one, {{0, 4}}), 40 + 12, 1e-9);
  EXPECT_NEAR(transfer_seconds(one, {{0, 4}, {1, 5}, {2, 6}, {3, 7}}), 40 + 48, 1e-9);
  // By 3: 4/3 of a NIC's rate over two uplinks, 2/3 each: 6 B at 1/3 B/s.
  const Settings two = plain({{"nodes", "8"}, {"network", "fat-tree"}, {"leaf", "1"}, {"oversubscription", "3"}});
  EXPECT_NEAR(transfer_seconds(two, {{0, 4}}), 40 + 18, 1e-9);
}

TEST(Cluster, EcmpKeepsAFlowAndSpreadsFlows) {
  const Settings tree = plain({{"nodes", "16"}, {"network", "fat-tree"}});
  const Settings other = plain({{"nodes", "16"}, {"network", "fat-tree"}, {"seed", "2"}});
  EXPECT_EQ(links(tree, 0, 9), links(tree, 0, 9));
  std::set<std::string> uplinks;
  int moved = 0;
  for (std::uint32_t a = 0; a < 8; ++a)
    for (std::uint32_t b = 8; b < 16; ++b) {
      uplinks.insert(links(tree, a, b)[1]);
      moved += links(tree, a, b) != links(other, a, b);
    }
  EXPECT_EQ(uplinks.size(), 8u);  // 64 flows and 8 uplinks: one stays empty with a chance of 8 (7/8)^64 = 0.2 %
  EXPECT_GT(moved, 32);           // 7/8 of them on average
}

TEST(Cluster, ALaunchIsPaidOnceByACollective) {
  // Ring all-reduce of 4 B in a server of 4: 6 rounds of 2 s and 1 B; 100 s before, in both orders and for two groups together.
  const Settings slow = plain({{"nodes", "8"}, {"launch", "100 s"}});
  for (const schedule::Order order : {schedule::Order::kStep, schedule::Order::kDataflow}) {
    const Timed t = time_on("cluster", slow, "ring", among(Kind::kAllReduce, 4, {{0, 1, 2, 3}, {4, 5, 6, 7}}), order);
    EXPECT_NEAR(seconds(t), 100 + 6 * 3, 1e-9);
    EXPECT_EQ(t.timeline.steps, 6u);
  }
}

// One node of 8 A100: 10 us of launch, the protocol's start, 14 rounds of S/8, each 0.6 us of hops and its protocol, and 0.44 of the bytes
// of one more.
double ring_of_8_microseconds(double bytes) {
  return 1e6 * seconds(time_on("cluster", settings({{"nodes", "8"}}), "ring",
                               request_on_all(Kind::kAllReduce, Bytes{bytes}, 8)));
}

TEST(Cluster, ARingOfEightTakesItsProtocol) {
  // LL: 0.22 us and 88.75 GB/s. S = 8 KB.
  EXPECT_NEAR(ring_of_8_microseconds(8e3), 10 + 14 * 0.82 + 14.44 * 1e3 / 88.75e3, 1e-6);
  EXPECT_NEAR(ring_of_8_microseconds(1e6), 10 + 14 * 0.82 + 14.44 * 125e3 / 88.75e3, 1e-6);  // 41.8 us
  // LL128: 14.3 us once, 0.26 us and 167 GB/s. S = 4 MiB: 81.7 us; measured are 81.66 us.
  EXPECT_NEAR(ring_of_8_microseconds(4194304), 24.3 + 14 * 0.86 + 14.44 * 524288 / 167e3, 1e-6);
  // Simple: 25.3 us once, 5.1 us and 0.768 * 300 GB/s. S = 1 GiB: 8527 us; measured are 8244.5 us.
  EXPECT_NEAR(ring_of_8_microseconds(1073741824), 35.3 + 14 * 5.7 + 14.44 * 134217728 / 230.4e3, 1e-6);
}

TEST(Cluster, ARingLeavesAServerByEveryNic) {
  // 2 servers of 4, 8 B: 14 rounds in which 1 B goes to the next server, a quarter over each NIC: 20 s + 1 B at 2 B/s. By one NIC, of
  // another rail than the sender's: 2 + 20 s + 1 B at 0.5 B/s.
  const auto time = [](const char* rings) {
    return seconds(time_on("cluster", plain({{"nodes", "8"}, {"rings", rings}}), "ring",
                           request_on_all(Kind::kAllReduce, Bytes{8}, 8)));
  };
  EXPECT_NEAR(time("every-nic"), 14 * 20.5, 1e-9);
  EXPECT_NEAR(time("one"), 14 * 24, 1e-9);
  // One NPU of each server: on its rail.
  EXPECT_NEAR(seconds(time_on("cluster", plain({{"nodes", "8"}}), "ring", among(Kind::kAllReduce, 2, {{1, 5}}))),
              2 * (20 + 2), 1e-9);
}

TEST(Cluster, ASwitchAddsUpInItsServer) {
  // 8 H100: launch 5.5 us, start 62.4 us, 0.6 us of hops, the vector at 262 GB/s. 256 MiB: 1093 us; measured are 1092 us.
  const Settings h100 = settings({{"npu", "h100"}, {"nodes", "8"}});
  EXPECT_NEAR(
      1e6 * seconds(time_on("cluster", h100, "in-fabric", request_on_all(Kind::kAllReduce, Bytes{268435456}, 8))),
      5.5 + 62.4 + 0.6 + 268435456 / 262e3, 1e-3);
  // Not over two, and not where the switch cannot.
  const Settings two = settings({{"npu", "h100"}, {"nodes", "16"}});
  EXPECT_NE(time_on("cluster", two, "in-fabric", request_on_all(Kind::kAllReduce, Bytes{8}, 16)).refusal, "");
  EXPECT_FALSE(make("cluster", settings({{"nodes", "8"}}))->capabilities().reduces);
}

TEST(Cluster, TwoLevelsUseEveryRail) {
  const auto grouped = settings({{"group", "4"}});
  const auto time = [&](const char* nodes, int n) {
    return seconds(time_on("cluster", plain({{"nodes", nodes}}), "two-level",
                           request_on_all(Kind::kAllReduce, Bytes{1.0 * n}, n), schedule::Order::kStep, grouped));
  };
  // 2 servers, 8 B. Halving inside: 2 + 4 and 2 + 2 s. Between them, on all rails at once, a ring of two with 2 B: two rounds of
  // 20 s + 1 B at 0.5 B/s. Doubling inside as halving: 10 + 44 + 10 s.
  EXPECT_NEAR(time("8", 8), 64, 1e-9);
  // 4 servers, 16 B: 2 + 8 and 2 + 4 s; a ring of four with 4 B, six rounds of 20 s + 1 B: 16 + 132 + 16 s.
  EXPECT_NEAR(time("16", 16), 164, 1e-9);
}

TEST(Cluster, TwoLevelsAreServersUnlessSaidOtherwise) {
  // 8 servers of 4, 32 B; near the square root would be 8. Halving inside: 2 + 16 and 2 + 8 s. A ring of eight with 8 B, 14
  // rounds of 20 s + 1 B at 0.5 B/s. Doubling as halving: 28 + 308 + 28 s.
  const Timed t =
      time_on("cluster", plain({{"nodes", "32"}}), "two-level", request_on_all(Kind::kAllReduce, Bytes{32}, 32));
  EXPECT_NEAR(seconds(t), 364, 1e-9);
}

TEST(Cluster, AGroupMayHaveAFewNpusOfEachServer) {
  // One of each of two servers, on one rail, 4 B by halving and doubling: 2 rounds of 20 s + 2 B at 0.5 B/s.
  EXPECT_NEAR(
      seconds(time_on("cluster", plain({{"nodes", "8"}}), "halving-doubling", among(Kind::kAllReduce, 4, {{1, 5}}))),
      48, 1e-9);
  // Two of each, 4 B: 2 B to the partner in the server (2 + 2 s), 1 B over the rail (20 + 2 s), and back.
  const Timed t =
      time_on("cluster", plain({{"nodes", "8"}}), "two-level", among(Kind::kAllReduce, 4, {{0, 1, 4, 5}, {2, 3, 6, 7}}),
              schedule::Order::kStep, settings({{"group", "2"}}));
  EXPECT_NEAR(seconds(t), 4 + 22 + 22 + 4, 1e-9);
}

TEST(Cluster, SaysWhatItCan) {
  const auto rails = make("cluster", plain({{"nodes", "12"}}));
  const schedule::Capabilities& can = rails->capabilities();
  EXPECT_EQ(can.nodes, 12u);
  EXPECT_EQ(can.injection, (BitRate{12}));  // into the switch and out of the NIC
  EXPECT_EQ(can.link_rate, (BitRate{8}));
  EXPECT_EQ(can.nearest_latency, Time::seconds(2));
  EXPECT_EQ(can.farthest_latency, Time::seconds(22));  // another rail of another server
  ASSERT_EQ(can.cuts.size(), 1u);
  EXPECT_EQ(can.cuts[0].inside, 4u);
  EXPECT_EQ(can.cuts[0].outward, (BitRate{16}));  // four NICs
  ASSERT_EQ(can.parts.size(), 1u);
  EXPECT_EQ(can.parts[0].instances,
            (std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));

  // Three servers on leaves of two: a leaf of 2 with 8 NICs behind 2 uplinks, and a leaf of 1 with as many.
  const auto tree = make("cluster", plain({{"nodes", "12"}, {"network", "fat-tree"}, {"oversubscription", "4"}}));
  EXPECT_EQ(tree->capabilities().farthest_latency, Time::seconds(40));
  ASSERT_EQ(tree->capabilities().cuts.size(), 3u);
  EXPECT_EQ(tree->capabilities().cuts[1].inside, 8u);
  EXPECT_EQ(tree->capabilities().cuts[1].outward, (BitRate{8}));
  EXPECT_EQ(tree->capabilities().cuts[2].inside, 4u);

  // One protocol for all: its flags take their share of every link.
  const auto flags =
      make("cluster", plain({{"nodes", "4"}, {"protocol", "ll"}, {"ll_rate", "0 b/s"}, {"ll_latency", "5 s"}}));
  EXPECT_EQ(flags->capabilities().injection, (BitRate{4}));
  EXPECT_EQ(flags->capabilities().nearest_latency, Time::seconds(7));
}

TEST(Cluster, WhatDoesNotFitTogetherIsRefused) {
  EXPECT_EQ(error_of(plain({{"nodes", "10"}})),
            "test: 10 NPUs do not fill servers of 4; give a multiple of fabric.npus_per_node, such as 12, or at most 4 "
            "for a part "
            "of one server");
  EXPECT_EQ(error_of(plain({{"nodes", "8"}, {"nics", "3"}})),
            "test: 3 NICs cannot be shared evenly by 4 NPUs; give a divisor of fabric.npus_per_node");
  EXPECT_EQ(error_of(plain({{"nodes", "3"}})), "");  // a part of one server
  EXPECT_EQ(make("cluster", plain({{"nodes", "3"}}))->capabilities().parts[0].instances.size(), 1u);
}

}  // namespace
}  // namespace helio::fabric
