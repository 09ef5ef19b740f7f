// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/fitted.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/fitted/networks.h"
#include "schedule/verify.h"

namespace helio::schedule {
namespace {

constexpr Kind kKinds[] = {Kind::kAllGather, Kind::kReduceScatter, Kind::kAllReduce, Kind::kBroadcast, Kind::kReduce};

Capabilities with(const Network& network) {
  Capabilities capabilities;
  capabilities.fabric = "graph";
  capabilities.nodes = network.nodes;
  capabilities.network = [network] { return network; };
  return capabilities;
}

Schedule fitted_to(const Network& network, Kind kind, double bytes = 1e9) {
  return build("fitted", request_on_all(kind, {bytes}, static_cast<Position>(network.nodes)), with(network));
}

double fact(const Schedule& schedule, std::string_view name) {
  const auto at = std::ranges::find(schedule.facts, name, &Fact::name);
  return std::get<double>(at->value);
}

TEST(Fitted, EveryKindIsProvenOnRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (const Kind kind : kKinds) {
      const Verification proof = verify(fitted_to(random_network(seed, 12, 3), kind));
      EXPECT_TRUE(proof.verified) << name_of(kind) << ", seed " << seed << ": " << proof.failure;
    }
}

TEST(Fitted, TreesLoadNoLinkMuchBeyondTheCut) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_LE(fact(fitted_to(random_network(seed, 12, 3), Kind::kAllGather), "trees_over_cut"), 1.05) << seed;
}

TEST(Fitted, PlannedWaysLeadFromEndToEnd) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Network network = random_network(seed, 10, 4);
    for (const Kind kind : {Kind::kAllGather, Kind::kReduceScatter})
      for (const PlannedWay& way : fitted_to(network, kind).ways) {
        std::uint32_t at = way.from.value;
        Time latency;
        for (const std::uint32_t link : way.links) {
          EXPECT_EQ(network.arcs[link].from, at);
          at = network.arcs[link].to;
          latency += network.arcs[link].latency;
        }
        EXPECT_EQ(at, way.to.value);
        EXPECT_EQ(latency, way.latency);
      }
  }
}

TEST(Fitted, WhatIsShortGoesWholeAndStraight) {
  // 1 KB over 400 Gb/s is 20 ns, far below a latency: one piece
  EXPECT_EQ(fact(fitted_to(random_network(1, 8, 0), Kind::kAllGather, 1e3), "pieces"), 1);
}

TEST(Fitted, AFabricThatShowsNoLinksIsRefused) {
  Capabilities capabilities;
  capabilities.fabric = "wdm-ring";
  EXPECT_THROW(build("fitted", request_on_all(Kind::kAllGather, {1e6}, 4), capabilities), Error);
}

}  // namespace
}  // namespace helio::schedule
