// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "fabric/timed.h"
#include "fabric/walk.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

// A graph file that is gone with the test.
class GraphTest : public testing::Test {
 protected:
  ~GraphTest() override { std::filesystem::remove(path_); }
  Settings file(const std::string& text, std::initializer_list<std::pair<const char*, const char*>> more = {}) {
    std::ofstream(path_) << text;
    Settings settings = fabric::settings(more);
    settings["file"] = {path_, "test"};
    return settings;
  }
  const std::string path_ =
      (std::filesystem::temp_directory_path() / fmt::format("helio_graph_{}.txt", getpid())).string();
};

Walk walk(const Settings& settings, std::uint32_t a, std::uint32_t b) { return fabric::walk("graph", settings, a, b); }

// Two ways of three hops from a to b, over s, t or u, t; and a detour.
constexpr const char* kDiamond =
    "node a b\nswitch r s u t x\nlink a r 8b/s 1s\nlink r s 8b/s 1s\nlink r u 4b/s 2s x3\nlink s t 8b/s 1s\nlink u t "
    "8b/s 1s\n"
    "link t b 8b/s 1s\nlink a x 80b/s 0\nlink x s 80b/s 0\n";

TEST_F(GraphTest, TheShortestWayByHopsIsTaken) {
  // a-x-s-t-b has as many links as a-r-s-t-b and a-r-u-t-b: four. Three ways by vertices, and u is reached by three parallel links.
  std::set<std::vector<std::string>> seen;
  for (int seed = 0; seed < 200; ++seed) {
    const std::string text = std::to_string(seed);
    const Walk w = walk(file(kDiamond, {{"seed", text.c_str()}}), 0, 1);
    ASSERT_EQ(w.links.size(), 4u);
    EXPECT_EQ(w.links.back(), "link t to b");
    seen.insert(w.links);
  }
  EXPECT_EQ(seen.size(), 5u);  // over x; over r and s; over r and u by each of three
}

TEST_F(GraphTest, SprayingSplitsVertexByVertex) {
  // Out of a: half over x, half over r. Of r's four links one leads to s and three to u: 1/8 and 3/8.
  const Walk w = walk(file(kDiamond, {{"routing", "spray"}}), 0, 1);
  const std::map<std::string, float> expected = {
      {"link a to r", 0.5f}, {"link a to x", 0.5f},   {"link r to s", 0.125f}, {"3 links r to u", 0.375f},
      {"link x to s", 0.5f}, {"link s to t", 0.625f}, {"link u to t", 0.375f}, {"link t to b", 1.0f}};
  ASSERT_EQ(w.links.size(), expected.size());
  for (std::size_t i = 0; i < w.links.size(); ++i) EXPECT_EQ(w.weights[i], expected.at(w.links[i])) << w.links[i];
  EXPECT_EQ(w.latency, 5);  // the slowest: a, r, u, t, b
}

TEST_F(GraphTest, RatesAndLatenciesAreThoseOfTheLinks) {
  // 4 B from a to b over a slow link of 1/2 B/s with 3 s: 3 + 1 + 8 s. Back over the fast direction, 1 B/s: 4 + 4 s.
  const std::string text = "node a b\nswitch s\nlink a s 8b/s 3s\nlink s b 4b/s oneway\nlink b s 8b/s oneway\n";
  const auto one = [&](std::uint32_t a, std::uint32_t b) {
    schedule::CollectiveRequest request = request_on_all(Kind::kBroadcast, Bytes{4}, 2);
    request.groups = {{NodeId{a}, NodeId{b}}};
    return seconds(time_on("graph", file(text, {{"latency", "1 s"}}), "direct", request));
  };
  EXPECT_NEAR(one(0, 1), 12, 1e-9);
  EXPECT_NEAR(one(1, 0), 8, 1e-9);
}

// 4 B at 1 B/s; a vector of 4 B finds a quarter of it: 16 s, and of 1 B, in one second, all of it. Sprayed alike.
TEST_F(GraphTest, ALongVectorFindsASlowerLink) {
  for (const char* routing : {"ecmp", "spray"})
    for (const auto& [bytes, expected] : {std::pair(4.0, 16.0), {1.0, 1.0}}) {
      schedule::CollectiveRequest request = request_on_all(Kind::kBroadcast, Bytes{bytes}, 2);
      const Settings slow = file("node a b\nlink a b 8b/s 0s 1B:8b/s 4B:2b/s\n", {{"routing", routing}});
      EXPECT_NEAR(seconds(time_on("graph", slow, "direct", request)), expected, 1e-6) << routing;
    }
}

TEST_F(GraphTest, ParallelLinksAreSharedWhenSprayedAndChosenByTheHash) {
  // Two flows of 4 B from a and b to c and d over two parallel links of 1 B/s: sprayed they share both, 4 s. Hashed they meet or not.
  const std::string text =
      "node a b c d\nswitch s t\nlink a s 80b/s\nlink b s 80b/s\nlink c t 80b/s\nlink d t 80b/s\nlink s t 8b/s x2\n";
  schedule::CollectiveRequest request = request_on_all(Kind::kBroadcast, Bytes{4}, 2);
  request.groups = {{NodeId{0}, NodeId{2}}, {NodeId{1}, NodeId{3}}};
  EXPECT_NEAR(seconds(time_on("graph", file(text, {{"latency", "0 s"}, {"routing", "spray"}}), "direct", request)), 4,
              1e-6);
  std::set<long> times;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"})
    times.insert(
        std::lround(seconds(time_on("graph", file(text, {{"latency", "0 s"}, {"seed", seed}}), "direct", request))));
  EXPECT_EQ(times, (std::set<long>{4, 8}));
}

TEST_F(GraphTest, WhatItCanDo) {
  // A triangle of ranks: a has 8 + 4, b 8 + 2, c 4 + 2 b/s. Nearest a, b: 1 s. From a to c it is 4 s directly, 3 s over b.
  const auto fabric = make("graph", file("node a b c\nlink a b 8b/s 1s\nlink a c 4b/s 4s\nlink b c 2b/s 2s\n"));
  const schedule::Capabilities& can = fabric->capabilities();
  EXPECT_EQ(can.nodes, 3u);
  EXPECT_EQ(can.injection.value, 12);
  EXPECT_EQ(can.nearest_latency, Time::seconds(1));
  EXPECT_EQ(can.farthest_latency, Time::seconds(3));
  EXPECT_TRUE(std::ranges::any_of(can.cuts,
                                  [](const schedule::Cut& cut) { return cut.inside == 1 && cut.outward.value == 6; }));
}

TEST_F(GraphTest, DistancesHoldForEveryRootWhereTheWayBackIsShorter) {
  // One way round: a to b 1 s, b to c 1 s, c to a 9 s. c to b is 10 s, the farthest pair. A root a has all within 2 s: half of what is
  // claimed must not exceed that. So 4 s, not 10.
  const auto fabric =
      make("graph", file("node a b c\nlink a b 8b/s 1s oneway\nlink b c 8b/s 1s oneway\nlink c a 8b/s 9s oneway\n"));
  EXPECT_EQ(fabric->capabilities().farthest_latency, Time::seconds(4));
}

TEST_F(GraphTest, AStarIsASwitch) {
  // The same ring all-reduce on the same crossbar, from a file and built in.
  std::string text = "switch s\n";
  for (int i = 0; i < 9; ++i) text += fmt::format("node n{}\nlink n{} s 40Gb/s 2us\n", i, i);
  const auto request = request_on_all(Kind::kAllReduce, Bytes{1e6}, 9);
  const Timed graph = time_on("graph", file(text), "ring", request);
  const Timed built_in =
      time_on("switch", settings({{"nodes", "9"}, {"rate", "40 Gb/s"}, {"latency", "2 us"}}), "ring", request);
  EXPECT_EQ(graph.timeline.end, built_in.timeline.end);
  EXPECT_EQ(graph.fabric->capabilities().nearest_latency, built_in.fabric->capabilities().nearest_latency);
}

TEST_F(GraphTest, LargeGraphsGetSafeDistances) {
  // 3,000 ranks in a line: too many pairs to measure all, and two walks find the 2,999 links between the ends.
  std::string text = "node n0\n";
  for (int i = 1; i < 3000; ++i) text += fmt::format("node n{}\nlink n{} n{} 1Gb/s 1us\n", i, i - 1, i);
  const auto fabric = make("graph", file(text));
  EXPECT_EQ(fabric->capabilities().nearest_latency, Time::seconds(1e-6));
  EXPECT_EQ(fabric->capabilities().farthest_latency, Time::seconds(1e-6) * 2999);
}

TEST_F(GraphTest, NodesMustAgreeWithTheFile) {
  const std::string text = "node a b\nlink a b 8b/s\n";
  EXPECT_EQ(make("graph", file(text, {{"nodes", "2"}}))->capabilities().nodes, 2u);
  try {
    make("graph", file(text, {{"nodes", "3"}}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_EQ(error.message(), fmt::format("the graph '{}' has 2 nodes, not 3", path_));
  }
  EXPECT_THROW(make("graph", {}), Error);
  EXPECT_THROW(make("graph", settings({{"file", "/no/such/file"}})), Error);
  EXPECT_EQ(make("graph", file("node alone\n"))->capabilities().nodes, 1u);
}

}  // namespace
}  // namespace helio::fabric
