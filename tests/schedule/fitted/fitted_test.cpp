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

Capabilities of_torus(const std::vector<long long>& sides) {
  Capabilities capabilities = with(torus_network(sides));
  capabilities.fabric = "torus";
  capabilities.adjacency = Adjacency::kGrid;
  capabilities.dimensions = sides;
  capabilities.wraps = true;
  return capabilities;
}

bool moved(const Schedule& schedule) { return std::ranges::count(schedule.facts, "translates", &Fact::name) > 0; }

TEST(Fitted, OneTreeForAllIsProvenInAnyOrderOfNodes) {
  for (const std::vector<long long>& sides : std::vector<std::vector<long long>>{{7}, {3, 4}, {2, 5}, {2, 3, 4}})
    for (const Kind kind : {Kind::kAllGather, Kind::kReduceScatter, Kind::kAllReduce}) {
      const Capabilities torus = of_torus(sides);
      CollectiveRequest request = request_on_all(kind, {1e9}, static_cast<Position>(torus.nodes));
      std::ranges::reverse(request.groups.front());
      std::swap(request.groups.front()[0], request.groups.front()[2]);
      const Schedule schedule = build("fitted", request, torus);
      EXPECT_TRUE(moved(schedule));
      EXPECT_TRUE(verify(schedule).verified);
      // Every move is a link of the torus
      const Network network = torus.network();
      for (const Phase& phase : schedule.phases)
        for (const Move& move : phase.moves) {
          const auto node = [&](Position p) { return request.groups.front()[static_cast<std::size_t>(p)].value; };
          EXPECT_TRUE(std::ranges::any_of(network.arcs, [&](const Network::Arc& arc) {
            return arc.from == node(move.source) && arc.to == node(move.destination);
          }));
        }
    }
}

TEST(Fitted, WhatDoesNotLookTheSameFromEveryNodeTakesTheGeneralWay) {
  // A link of another rate; a part of the nodes; a root
  Capabilities torus = of_torus({3, 4});
  const CollectiveRequest all = request_on_all(Kind::kAllGather, {1e9}, 12);
  EXPECT_TRUE(moved(build("fitted", all, torus)));
  torus.network = [network = torus.network()]() mutable {
    network.arcs[5].rate = BitRate{200e9};
    return network;
  };
  const Schedule uneven = build("fitted", all, torus);
  EXPECT_FALSE(moved(uneven));
  EXPECT_TRUE(verify(uneven).verified);

  CollectiveRequest some = all;
  some.groups.front().pop_back();
  const Schedule fewer = build("fitted", some, of_torus({3, 4}));
  EXPECT_FALSE(moved(fewer));
  EXPECT_TRUE(verify(fewer).verified);
  EXPECT_FALSE(moved(build("fitted", request_on_all(Kind::kBroadcast, {1e9}, 12), of_torus({3, 4}))));
}

// A part of a byte's time is nothing beside a latency: as few rounds as it is far, half of each side, there and back.
TEST(Fitted, WhatIsShortTakesTheFewestRounds) {
  const Schedule schedule = build("fitted", request_on_all(Kind::kAllReduce, {100}, 60), of_torus({3, 4, 5}));
  EXPECT_EQ(rounds(schedule), 2 * (1 + 2 + 2));
}

TEST(Fitted, SeveralGroupsAtOnceAreProven) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Network network = random_network(seed, 12, 3);
    for (const Kind kind : kKinds) {
      CollectiveRequest request = request_on_all(kind, {1e6}, 2);
      request.groups = {{NodeId{0}, NodeId{1}}};
      for (std::uint32_t v = 2; v + 1 < network.nodes; v += 2) request.groups.push_back({NodeId{v}, NodeId{v + 1}});
      EXPECT_TRUE(verify(build("fitted", request, with(network))).verified) << seed;
    }
  }
}

}  // namespace
}  // namespace helio::schedule
