// SPDX-License-Identifier: Apache-2.0
// The way between two nodes of a fabric, by the names of its links: what the tests of routes share.
#pragma once

#include <string>
#include <vector>

#include "fabric/carrier.h"

namespace helio::fabric {

struct Walk {
  std::vector<std::string> links;
  std::vector<float> weights;
  double latency = 0;
};

inline Walk walk(const std::string& name, const Settings& settings, std::uint32_t a, std::uint32_t b) {
  const auto fabric = make(name, settings);
  flow::Program program;
  const auto carrier = fabric->install(program);
  const schedule::Schedule schedule;
  const schedule::CollectiveRequest request;
  const schedule::Move move;
  Way way;
  carrier->add_way(NodeId{a}, NodeId{b}, Carriage{schedule, request, move}, way);
  Walk walk;
  for (const flow::LinkUse& use : way.links) {
    walk.links.push_back(program.resources.name(use.link));
    walk.weights.push_back(use.weight);
  }
  walk.latency = way.latency.to_seconds();
  return walk;
}

}  // namespace helio::fabric
