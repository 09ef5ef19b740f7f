// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/fat_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "fabric/routed.h"
#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

class Ways {
 public:
  explicit Ways(const Settings& settings) : fabric_(make("fat-tree", settings)), carrier_(fabric_->install(program_)) {}

  std::vector<std::string> links(std::uint32_t a, std::uint32_t b) const {
    std::vector<std::string> names;
    for (const flow::LinkUse& use : way(a, b).links) names.push_back(program_.resources.name(use.link));
    return names;
  }
  Way way(std::uint32_t a, std::uint32_t b) const {
    const schedule::Schedule schedule;
    const schedule::CollectiveRequest request;
    const schedule::Move move;
    Way way;
    carrier_->add_way(NodeId{a}, NodeId{b}, Carriage{schedule, request, move}, way);
    return way;
  }
  const schedule::Capabilities& can() const { return fabric_->capabilities(); }

 private:
  std::unique_ptr<Fabric> fabric_;
  flow::Program program_;
  std::unique_ptr<Carrier> carrier_;
};

// The share of line rate that the slowest flow of a ring step gets. Without latency all flows of a round start together. The flows on
// the tightest link have the smallest rate, and it never falls as others end; they end last, so the round takes
// (d/n)/(share * rate). The ring all-gather is n-1 such rounds.
double slowest_share(const Settings& settings, std::uint32_t n) {
  const Timed t =
      time_on("fat-tree", settings, "ring", request_on_all(Kind::kAllGather, Bytes{1.0 * n}, static_cast<int>(n)));
  return (n - 1) * 8.0 / 400e9 / seconds(t);
}

double mean_share(const char* rank_order) {
  double sum = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string text = std::to_string(seed);
    sum += slowest_share(
        settings({{"k", "16"}, {"latency", "0 s"}, {"rank_order", rank_order}, {"seed", text.c_str()}}), 1024);
  }
  return sum / 20;
}

std::string error_of(const Settings& settings) {
  try {
    make("fat-tree", settings);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

// papers/oddl.md, section 3.2: 1.00, 0.45, 0.175 (Monte Carlo, 20 trials).
TEST(FatTree, ARingInHostOrderNeverSharesALink) {
  // One flow leaves and one enters each rack and each pod (fat_tree.h), so every flow has its links to itself: 1 exactly.
  EXPECT_NEAR(mean_share("host"), 1, 1e-12);
}

TEST(FatTree, ARingOfShuffledRacksGetsAboutHalf) {
  // 128 flows between racks, one up and one down link each rack: at the edge no two meet. Above, the 8 of a pod throw dice for 64
  // uplinks (and downlinks), two meet in a few of the 16 pods, now and then three: the worst is mostly 1/2, sometimes 1/3.
  const double share = mean_share("racks");
  RecordProperty("share", fmt::format("{:.4f}", share));
  EXPECT_NEAR(share, 0.45, 0.04);
}

TEST(FatTree, ARingOfRandomRanksGetsAboutASixth) {
  // 8 flows of each rack throw dice for 8 uplinks: the fullest of some 4,000 links has 5 or 6 or 7.
  const double share = mean_share("random");
  RecordProperty("share", fmt::format("{:.4f}", share));
  EXPECT_GE(share, 0.165);
  EXPECT_LE(share, 0.185);
}

TEST(FatTree, SprayingIsIdealWhateverTheOrder) {
  // Each rack's uplinks together carry as much as its hosts can send.
  EXPECT_NEAR(
      slowest_share(settings({{"k", "8"}, {"latency", "0 s"}, {"rank_order", "random"}, {"routing", "spray"}}), 128), 1,
      1e-12);
}

TEST(FatTree, HopsAreTwoFourSix) {
  const Ways tree(settings({{"k", "4"}, {"latency", "1 s"}, {"routing", "static"}}));
  EXPECT_EQ(tree.can().nodes, 16u);
  EXPECT_EQ(tree.links(0, 1), (std::vector<std::string>{"link host 0 to edge 0", "link edge 0 to host 1"}));
  // d mod k: to host 3 over aggregation 3 mod 2 = 1 of pod 0.
  EXPECT_EQ(tree.links(0, 3), (std::vector<std::string>{"link host 0 to edge 0", "link edge 0 to aggregation 1",
                                                        "link aggregation 1 to edge 1", "link edge 1 to host 3"}));
  // To host 15, pod 3: aggregation 1, of its cores 2 and 3 the one with index (15/2) mod 2 = 1; down over aggregation 1 of pod 3.
  EXPECT_EQ(tree.links(0, 15), (std::vector<std::string>{"link host 0 to edge 0", "link edge 0 to aggregation 1",
                                                         "link aggregation 1 to core 3", "link core 3 to aggregation 7",
                                                         "link aggregation 7 to edge 7", "link edge 7 to host 15"}));
  EXPECT_EQ(tree.way(0, 1).latency, Time::seconds(2));
  EXPECT_EQ(tree.way(0, 3).latency, Time::seconds(4));
  EXPECT_EQ(tree.way(0, 15).latency, Time::seconds(6));
}

TEST(FatTree, EcmpKeepsAFlowOnItsWayAndUsesThemAll) {
  // 8 hosts of pod 0 to 8 hosts of each other pod: 64 pairs per pod, 16 turns. Each turn is taken, and asked again it is the same.
  const Ways tree(settings({{"k", "8"}}));
  std::set<std::string> cores;
  for (std::uint32_t a = 0; a < 16; ++a)
    for (std::uint32_t b = 16; b < 128; ++b) {
      EXPECT_EQ(tree.links(a, b), tree.links(a, b));
      cores.insert(tree.links(a, b)[3]);
    }
  EXPECT_EQ(cores.size(), 16u * 7);  // every core's link down into every other pod
}

TEST(FatTree, SprayedBundlesAreTheSumOfTheirLinks) {
  // Four hosts of pod 0 (k = 4) reduce onto host 0 of pod 0: 3 B, two of them over the bundle of 2 downlinks; the last link decides.
  // Oversubscribed four to one at the edge the bundle has 2/4 B/s: 2 B in 4 s.
  const Settings s =
      settings({{"k", "4"}, {"nodes", "4"}, {"rate", "8 b/s"}, {"latency", "0 s"}, {"routing", "spray"}});
  const auto request = request_on_all(Kind::kReduce, Bytes{1}, 4);
  EXPECT_NEAR(seconds(time_on("fat-tree", s, "direct", request)), 3, 1e-9);
  Settings slower = s;
  slower["oversubscription"] = {"4", "test"};
  EXPECT_NEAR(seconds(time_on("fat-tree", slower, "direct", request)), 4, 1e-9);
}

TEST(FatTree, OversubscriptionSlowsOneLevel) {
  // One flow of 1 B between racks of a pod crosses the edge's uplinks only; between pods also the aggregation's.
  const auto seconds_between = [](const char* where, std::uint32_t a, std::uint32_t b) {
    schedule::CollectiveRequest request = request_on_all(Kind::kBroadcast, Bytes{1}, 2);
    request.groups = {{NodeId{a}, NodeId{b}}};
    return seconds(time_on(
        "fat-tree",
        settings(
            {{"k", "4"}, {"rate", "8 b/s"}, {"latency", "0 s"}, {"oversubscription", "3"}, {"oversubscribed", where}}),
        "direct", request));
  };
  EXPECT_NEAR(seconds_between("edge", 0, 1), 1, 1e-9);
  EXPECT_NEAR(seconds_between("edge", 0, 2), 3, 1e-9);
  EXPECT_NEAR(seconds_between("aggregation", 0, 2), 1, 1e-9);
  EXPECT_NEAR(seconds_between("aggregation", 0, 4), 3, 1e-9);
}

TEST(FatTree, RanksSitWhereTheOrderSays) {
  // Neighbours in blocks of k/2 share a rack when racks are kept together; the first host link tells the host.
  const auto hosts = [](const char* order) {
    const Ways tree(settings({{"k", "8"}, {"rank_order", order}}));
    std::vector<int> by_rank;
    for (std::uint32_t rank = 0; rank < 128; ++rank)
      by_rank.push_back(std::stoi(tree.links(rank, (rank + 1) % 128)[0].substr(10)));
    return by_rank;
  };
  const auto blocks_kept = [](const std::vector<int>& by_rank) {
    for (std::size_t i = 0; i < by_rank.size(); ++i)
      if (by_rank[i] != by_rank[i / 4 * 4] + static_cast<int>(i % 4) || by_rank[i / 4 * 4] % 4 != 0) return false;
    return true;
  };
  const auto in_order = hosts("host"), racks = hosts("racks"), random = hosts("random");
  for (int i = 0; i < 128; ++i) EXPECT_EQ(in_order[static_cast<std::size_t>(i)], i);
  EXPECT_NE(racks, in_order);
  EXPECT_TRUE(blocks_kept(racks));
  EXPECT_FALSE(blocks_kept(random));
  EXPECT_EQ(std::set<int>(racks.begin(), racks.end()).size(), 128u);
  EXPECT_EQ(std::set<int>(random.begin(), random.end()).size(), 128u);
}

TEST(FatTree, CutsCountTheRanksThatAreThere) {
  // k = 4, 2 to 1 at the edge, 100 Gb/s. A rack: 2 hosts, 2 uplinks of 50. A pod: 4 hosts, 4 uplinks of 100 above 4 of 50. The core
  // between two and two pods: 8 links.
  const auto full = make("fat-tree", settings({{"k", "4"}, {"rate", "100 Gb/s"}, {"oversubscription", "2"}}));
  const auto& cuts = full->capabilities().cuts;
  ASSERT_EQ(cuts.size(), 3u);
  EXPECT_EQ(cuts[0].inside, 2u);
  EXPECT_EQ(cuts[0].outward.value, 100e9);
  EXPECT_EQ(cuts[1].inside, 4u);
  EXPECT_EQ(cuts[1].outward.value, 200e9);
  EXPECT_EQ(cuts[2].inside, 8u);
  EXPECT_EQ(cuts[2].outward.value, 800e9);

  // Five ranks in host order: racks of 2, 2 and 1, pods of 4 and 1; the lone rank has one port.
  const auto few = make("fat-tree", settings({{"k", "4"}, {"nodes", "5"}, {"rate", "100 Gb/s"}, {"latency", "1 us"}}));
  ASSERT_EQ(few->capabilities().cuts.size(), 5u);
  EXPECT_EQ(few->capabilities().cuts[0].outward.value, 100e9);
  EXPECT_EQ(few->capabilities().cuts[4].inside, 4u);
  EXPECT_EQ(few->capabilities().nearest_latency, Time::seconds(2e-6));
  EXPECT_EQ(few->capabilities().farthest_latency, Time::seconds(6e-6));
}

TEST(FatTree, SizesThatDoNotFitAreRefused) {
  EXPECT_EQ(error_of(settings({{"k", "5"}})),
            "test: k = 5 is odd, and half of the ports of each switch lead up; give an even k, such as 6");
  EXPECT_EQ(
      error_of(settings({{"k", "16"}, {"nodes", "1025"}})),
      "test: 1025 ranks do not fit on the 1024 hosts of a fat-tree with k = 16; give k of at least 18, or fewer nodes");
  EXPECT_NE(error_of({}).find("needs its size"), std::string::npos);
  EXPECT_NE(error_of(settings({{"k", "4"}, {"oversubscription", "0.5"}})), "");
  EXPECT_NE(error_of(settings({{"k", "4"}, {"routing", "valiant"}})).find("spray"), std::string::npos);
  EXPECT_EQ(make("fat-tree", settings({{"nodes", "1025"}}))->capabilities().nodes, 1025u);  // the smallest tree: k = 18
}

}  // namespace
}  // namespace helio::fabric
