// SPDX-License-Identifier: Apache-2.0
// A network as data, for schedules that are fitted to it: who is joined to whom, at what rate, by which link.
//
//     vertices   0 … nodes-1 are the nodes of the fabric; what follows only hands on (switches)
//     arcs       one direction of one link each: `link` is its number among the fabric's resources
//
// Invariant: arcs share nothing: what two of them carry together is bounded by each of their rates alone.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/id.h"
#include "base/quantity.h"
#include "base/time.h"

namespace helio::schedule {

struct Network {
  struct Arc {
    std::uint32_t from = 0, to = 0;
    BitRate rate;
    Time latency;
    std::uint32_t link = 0;
  };
  std::uint32_t nodes = 0, vertices = 0;
  std::vector<Arc> arcs;
  std::vector<std::string> names = {};  // of vertices; empty: their numbers
};

// Every arc the other way round: what reduces on a network gathers on this one, backwards.
inline Network reversed(Network network) {
  for (Network::Arc& arc : network.arcs) std::swap(arc.from, arc.to);
  return network;
}

// A way that moves of a schedule take from one node of the fabric to another, where it is not the fabric's own: all moves between
// the two that have its number (Move::way).
struct PlannedWay {
  NodeId from, to;
  std::uint8_t number = 0;
  std::vector<std::uint32_t> links;  // of the fabric's resources
  Time latency;

  auto key() const { return std::tuple(from.value, to.value, number); }
};

}  // namespace helio::schedule
