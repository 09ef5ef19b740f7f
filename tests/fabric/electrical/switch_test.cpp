// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/switch.h"

#include <gtest/gtest.h>

#include "fabric/timed.h"

namespace helio::fabric {
namespace {

using schedule::Kind;
using schedule::request_on_all;

TEST(Switch, EveryWayIsTwoHops) {
  // Ring algorithm on 4 ports: 6 rounds of 2 * 1 s and 2 B at 1 B/s: 24 s.
  const Timed t = time_on("switch", settings({{"nodes", "4"}, {"rate", "8 b/s"}, {"latency", "1 s"}}), "ring",
                          request_on_all(Kind::kAllReduce, Bytes{8}, 4));
  EXPECT_NEAR(seconds(t), 24, 1e-9);
}

TEST(Switch, HalvingDoublingMovesTheSameBytesInFewerRounds) {
  // 8 ports: rounds of d/2, d/4, d/8 and back: 2 * 7 B at 1 B/s, and 6 times 2 s.
  const Timed t = time_on("switch", settings({{"nodes", "8"}, {"rate", "8 b/s"}, {"latency", "1 s"}}),
                          "halving-doubling", request_on_all(Kind::kAllReduce, Bytes{8}, 8));
  EXPECT_NEAR(seconds(t), 14 + 12, 1e-9);
  EXPECT_EQ(t.timeline.steps, 6u);
}

TEST(Switch, ManyToOneShareTheDownLink) {
  // Direct reduce: 4 ranks send 3 B each to the root over one down link of 1 B/s: 12 s and 2 s of latency.
  const Timed t = time_on("switch", settings({{"nodes", "5"}, {"rate", "8 b/s"}, {"latency", "1 s"}}), "direct",
                          request_on_all(Kind::kReduce, Bytes{3}, 5));
  EXPECT_NEAR(seconds(t), 14, 1e-9);
}

TEST(Switch, AnOperatorReducesInOnePass) {
  // Every rank sends and receives d once: 8 s at 1 B/s, 2 s of latency.
  const Timed t =
      time_on("switch", settings({{"nodes", "8"}, {"rate", "8 b/s"}, {"latency", "1 s"}, {"reducers", "1"}}),
              "in-fabric", request_on_all(Kind::kAllReduce, Bytes{8}, 8));
  EXPECT_NEAR(seconds(t), 10, 1e-9);
  EXPECT_EQ(t.timeline.steps, 1u);
}

TEST(Switch, TooFewOperatorsAreRefusedWithTheGroups) {
  schedule::CollectiveRequest request;
  request.kind = Kind::kAllReduce;
  request.bytes = Bytes{8};
  request.groups = {{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{3}}};
  const auto fabric = make("switch", settings({{"nodes", "4"}, {"reducers", "1"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  const auto schedule = schedule::build("in-fabric", request, fabric->capabilities());
  const LowerResult result = carrier->lower(schedule, request, {});
  const Refusal* refusal = std::get_if<Refusal>(&result);
  ASSERT_NE(refusal, nullptr);
  EXPECT_EQ(refusal->groups, std::vector<std::uint32_t>{1});
  EXPECT_NE(refusal->advice.find("block"), std::string::npos);
}

TEST(Switch, GroupsRunAtTheSameTime) {
  // Two groups of two exchange 4 B each on disjoint ports: as fast as one group alone. Halving-doubling: 2 rounds of 2 B.
  schedule::CollectiveRequest request;
  request.bytes = Bytes{4};
  request.groups = {{NodeId{0}, NodeId{2}}, {NodeId{3}, NodeId{1}}};
  const Timed t =
      time_on("switch", settings({{"nodes", "4"}, {"rate", "8 b/s"}, {"latency", "0 s"}}), "halving-doubling", request);
  EXPECT_NEAR(seconds(t), 4, 1e-9);
}

}  // namespace
}  // namespace helio::fabric
