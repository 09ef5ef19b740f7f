// SPDX-License-Identifier: Apache-2.0
// Networks to try fitted schedules on: strongly connected, with unequal rates, one-way links, and switches that get in what they send on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "schedule/capabilities.h"
#include "schedule/fitted/translates.h"
#include "schedule/network.h"

namespace helio::schedule {

// Up to so many nodes, at least 3, and switches. A circle through everybody makes it connected.
inline Network random_network(std::uint64_t seed, std::uint32_t most_nodes, std::uint32_t most_switches) {
  Random random(seed);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random.below(bound)); };
  Network network{.nodes = 3 + below(most_nodes - 2), .vertices = 0, .arcs = {}};
  network.vertices = network.nodes + below(most_switches + 1);
  std::uint32_t link = 0;
  const auto join = [&](std::uint32_t from, std::uint32_t to, double rate) {
    network.arcs.push_back({from, to, BitRate{rate * 1e9}, Time::microseconds(0.5), link++});
  };
  const double around = 50.0 * (1 + below(8));
  for (std::uint32_t v = 0; v < network.vertices; ++v) join(v, (v + 1) % network.vertices, around);
  const std::uint32_t more = below(3 * network.vertices);
  for (std::uint32_t i = 0; i < more; ++i) {
    const std::uint32_t from = below(network.vertices), to = below(network.vertices);
    if (from == to) continue;
    const double rate = 50.0 * (1 + below(8));
    join(from, to, rate);
    // What enters a switch leaves it
    if (from >= network.nodes || to >= network.nodes || below(3) > 0) join(to, from, rate);
  }
  return network;
}

// A fabric that shows nothing but this network.
inline Capabilities with(const Network& network) {
  Capabilities capabilities;
  capabilities.fabric = "graph";
  capabilities.nodes = network.nodes;
  capabilities.network = [network] { return network; };
  return capabilities;
}

// Links both ways between neighbours, one where a side is 2.
inline Network torus_network(const std::vector<long long>& sides) {
  const Torus torus(sides);
  Network network{.nodes = torus.nodes(), .vertices = torus.nodes(), .arcs = {}};
  std::uint32_t stride = 1;
  for (const long long side : sides) {
    for (std::uint32_t v = 0; v < torus.nodes(); ++v) {
      const auto join = [&](std::uint32_t to) {
        const auto link = static_cast<std::uint32_t>(network.arcs.size());
        network.arcs.push_back({v, to, BitRate{400e9}, Time::microseconds(0.5), link});
      };
      if (side > 1) join(torus.sum(v, stride));
      if (side > 2) join(torus.difference(v, stride));
    }
    stride *= static_cast<std::uint32_t>(side);
  }
  return network;
}

}  // namespace helio::schedule
