// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "schedule/algorithm.h"
#include "schedule/cases.h"
#include "schedule/fitted/networks.h"
#include "schedule/verify.h"

namespace helio::schedule {
namespace {

using Groups = std::vector<std::vector<NodeId>>;

Groups all_of(const Network& network) {
  Groups groups(1);
  for (std::uint32_t node = 0; node < network.nodes; ++node) groups[0].push_back({node});
  return groups;
}

// A ring of equal links both ways, 8 Gb/s: a byte takes a nanosecond.
Network ring(std::uint32_t nodes) {
  Network network{.nodes = nodes, .vertices = nodes, .arcs = {}};
  for (std::uint32_t v = 0; v < nodes; ++v)
    for (const std::uint32_t to : {(v + 1) % nodes, (v + nodes - 1) % nodes})
      network.arcs.push_back(
          {v, to, BitRate{8e9}, Time::microseconds(0.5), static_cast<std::uint32_t>(network.arcs.size())});
  return network;
}

double load_of_busiest(const Exchange& exchange, const Network& network) {
  std::vector<double> load(network.arcs.size(), 0);
  for (const std::vector<Exchange::Part>& parts : exchange.pairs)
    for (const Exchange::Part& part : parts)
      exchange.ways.for_each_arc(part.way, [&](std::uint32_t a) {
        load[a] += seconds_at(Bytes{1.0 * part.units / exchange.units}, network.arcs[a].rate);
      });
  return *std::ranges::max_element(load);
}

TEST(Exchange, OnARingIsAsEvenAsSymmetryAllows) {
  // 5 nodes: distances 1, 2, 2, 1 from each, 6 hops; 30 in all over 10 links. 4 nodes: 1, 2, 1, of which the 2 goes half each way:
  // 16 over 8 links. All links alike: that is the least.
  for (const auto& [nodes, hops] : {std::pair(5u, 3.0), std::pair(4u, 2.0)}) {
    const Network network = ring(nodes);
    const auto exchange = exchange_on(network, all_of(network));
    EXPECT_NEAR(exchange->least, hops * 1e-9, 1e-15);
    EXPECT_LE(exchange->busiest, 1.005 * hops * 1e-9);
  }
}

TEST(Exchange, WaysLeadFromEndToEndAndCarryEverything) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Network network = random_network(seed, 14, 4);
    for (const Spread spread : {Spread::kThrifty, Spread::kShort}) {
      const auto exchange = exchange_on(network, all_of(network), spread);
      EXPECT_DOUBLE_EQ(exchange->busiest, load_of_busiest(*exchange, network)) << seed;
      for (std::uint32_t from = 0; from < network.nodes; ++from)
        for (std::uint32_t to = 0; to < network.nodes; ++to) {
          std::uint32_t units = 0;
          for (const Exchange::Part& part : exchange->pairs[from * network.nodes + to]) {
            std::uint32_t at = to;
            exchange->ways.for_each_arc(part.way, [&](std::uint32_t a) {
              EXPECT_EQ(network.arcs[a].to, at);
              at = network.arcs[a].from;
            });
            EXPECT_EQ(at, from);
            units += part.units;
          }
          EXPECT_EQ(units, from == to ? 0 : exchange->units) << seed;
        }
    }
  }
}

TEST(Exchange, IsNearWhatPricesProve) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Network network = random_network(seed, 24, 6);
    const auto exchange = exchange_on(network, all_of(network));
    EXPECT_GE(exchange->busiest, exchange->least * (1 - 1e-12)) << seed;
    EXPECT_LE(exchange->busiest, exchange->least * 1.03) << seed;
  }
}

TEST(Exchange, PricesProveWhatIsClaimed) {
  // The quotient again, by Floyd and Warshall: nothing of the search is used but the prices
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Network network = random_network(seed, 12, 3);
    const auto exchange = exchange_on(network, all_of(network));
    const std::size_t n = network.vertices;
    std::vector<double> far(n * n, 1e300);
    for (std::size_t v = 0; v < n; ++v) far[v * n + v] = 0;
    for (std::size_t a = 0; a < network.arcs.size(); ++a) {
      const Network::Arc& arc = network.arcs[a];
      double& straight = far[arc.from * n + arc.to];
      straight = std::min(straight, exchange->prices[a] * seconds_at(Bytes{1}, arc.rate));
    }
    for (std::size_t by = 0; by < n; ++by)
      for (std::size_t from = 0; from < n; ++from)
        for (std::size_t to = 0; to < n; ++to)
          far[from * n + to] = std::min(far[from * n + to], far[from * n + by] + far[by * n + to]);
    double pairs = 0;
    for (std::size_t from = 0; from < network.nodes; ++from)
      for (std::size_t to = 0; to < network.nodes; ++to) pairs += far[from * n + to];
    const double all = std::accumulate(exchange->prices.begin(), exchange->prices.end(), 0.0);
    EXPECT_NEAR(exchange->least, pairs / all, 1e-12 * exchange->least) << seed;
  }
}

TEST(Exchange, ShortWaysHaveTheLeastLatency) {
  // All links have the same latency: as many hops as in a search by breadth
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Network network = random_network(seed, 14, 4);
    const auto exchange = exchange_on(network, all_of(network), Spread::kShort);
    for (std::uint32_t from = 0; from < network.nodes; ++from) {
      std::vector<std::uint32_t> hops(network.vertices, 1000);
      hops[from] = 0;
      for (std::uint32_t round = 0; round < network.vertices; ++round)
        for (const Network::Arc& arc : network.arcs) hops[arc.to] = std::min(hops[arc.to], hops[arc.from] + 1);
      for (std::uint32_t to = 0; to < network.nodes; ++to)
        for (const Exchange::Part& part : exchange->pairs[from * network.nodes + to]) {
          std::uint32_t taken = 0;
          exchange->ways.for_each_arc(part.way, [&](std::uint32_t) { ++taken; });
          EXPECT_EQ(taken, hops[to]) << seed;
        }
    }
  }
}

TEST(Exchange, SchedulesAreProvenForOneGroupAndForMany) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Network network = random_network(seed, 12, 3);
    CollectiveRequest request = request_on_all(Kind::kAllToAll, {1e9}, static_cast<Position>(network.nodes));
    const Schedule alone = build("fitted", request, with(network));
    EXPECT_TRUE(verify(alone).verified) << seed;
    EXPECT_TRUE(executes_correctly(alone, alone.chunks, seed)) << seed;
    if (network.nodes < 6) continue;
    request.groups = {{{0}, {2}, {4}}, {{5}, {1}, {3}}};
    const Schedule schedule = build("fitted", request, with(network));
    EXPECT_TRUE(verify(schedule).verified) << seed;
    // Each move has a way in each group, which leads from its sender to its receiver
    for (const Move& move : schedule.phases.front().moves)
      for (const std::vector<NodeId>& group : request.groups) {
        const NodeId from = group[static_cast<std::size_t>(move.source)],
                     to = group[static_cast<std::size_t>(move.destination)];
        const auto way =
            std::ranges::lower_bound(schedule.ways, std::tuple(from.value, to.value, move.way), {}, &PlannedWay::key);
        ASSERT_NE(way, schedule.ways.end());
        ASSERT_EQ(way->key(), std::tuple(from.value, to.value, move.way));
        std::uint32_t at = from.value;
        for (const std::uint32_t link : way->links) {
          EXPECT_EQ(network.arcs[link].from, at);
          at = network.arcs[link].to;
        }
        EXPECT_EQ(at, to.value);
      }
  }
}

TEST(Exchange, WhoCannotBeReachedIsNamed) {
  Network network{.nodes = 3, .vertices = 3, .arcs = {}, .names = {"a", "b", "c"}};
  network.arcs = {{0, 1, BitRate{8e9}, Time(), 0}, {1, 0, BitRate{8e9}, Time(), 1}, {2, 0, BitRate{8e9}, Time(), 2}};
  try {
    exchange_on(network, all_of(network));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.message(), "c cannot be reached from a");
  }
}

}  // namespace
}  // namespace helio::schedule
