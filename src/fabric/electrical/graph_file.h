// SPDX-License-Identifier: Apache-2.0
// A network as a text file, line by line (docs/graph-file.md):
//
//     node NAME…                                         a rank each, in the order of the file
//     switch NAME…
//     link A B RATE [LATENCY] [xCOUNT] [oneway] [SIZE:RATE]…       both ways, unless oneway
//     # comment
//
// Invariant of a parsed Graph: names are unique, no arc leads from a vertex to itself, no two arcs have the same ends, rates
// are positive, and every rank reaches every other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/time.h"

namespace helio::fabric {

struct Graph {
  struct Vertex {
    std::string name;
    bool is_switch = false;
    std::uint32_t line = 0, column = 0;
  };
  // One direction of `count` parallel links.
  struct Arc {
    std::uint32_t from = 0, to = 0;
    BitRate rate;                 // of one of them
    std::optional<Time> latency;  // none: the line gave none
    std::uint32_t count = 1;
  };

  // Of a link that slows down where vectors are long, as memory does when they leave its caches: what it carries of collectives by the
  // size of their vector, in rising order. None is above the link's rate.
  struct Slowing {
    std::uint32_t arc = 0;
    std::vector<std::pair<Bytes, BitRate>> rates;
  };
  // The link's rate over what it carries of such a collective, at least 1: straight between the sizes in logarithms, level beyond them.
  double slowing(const Slowing& link, Bytes vector) const;

  std::vector<Vertex> vertices;  // in the order of the file
  std::vector<Arc> arcs;
  std::vector<std::uint32_t> ranks;    // the vertices that are nodes
  std::vector<Slowing> slowings = {};  // few links, by arc
};

// The arcs that leave, or that enter, each vertex.
class ArcIndex {
 public:
  enum class Which { kLeaving, kEntering };
  ArcIndex(const Graph& graph, Which which);

  std::span<const std::uint32_t> of(std::uint32_t vertex) const {
    return {arcs_.data() + begin_[vertex], begin_[vertex + 1] - begin_[vertex]};
  }
  // Hops from `start` along leaving arcs, or to it along entering ones; kNowhere where there is no way.
  std::vector<std::uint32_t> hops(const Graph& graph, std::uint32_t start) const;
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

 private:
  Which which_;
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> arcs_;
};

// Throws Error(kInput) at "name:line:column". Pure: any bytes may be given.
Graph parse_graph(std::string_view text, std::string_view name);

// The graph in the file at `path`. `place` is where the path was given: a file that cannot be read is reported there.
Graph read_graph(const std::string& path, const std::string& place);

}  // namespace helio::fabric
