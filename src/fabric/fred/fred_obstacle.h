// SPDX-License-Identifier: Apache-2.0
// Why flows do not fit into a Fred_m: a set of them that cannot be in one switch of some level together, and why not.
//
//   level 0 │ flows 0 1 2 5 8 cannot all be in the Fred_2(20) : no way to give them two middle switches, because of edges and
//           │                                                   because {1, 5, 8} may not be together one level down:
//   level 1 │ flows 1 5 8 cannot all be in one Fred_2(10)     : they share micro-switches around an odd cycle
//
// A proof is a list of obstacles that use only those before them. Anyone can check it: colour the flows of each obstacle by
// trying everything. tests/fabric/fred/fred_router_test.cpp does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace helio::fabric {

struct Flow {
  std::vector<std::uint32_t> inputs, outputs;  // ports; what enters is added, the sum leaves at every output
  friend bool operator==(const Flow&, const Flow&) = default;
};

inline Flow all_reduce_flow(const std::vector<std::uint32_t>& ports) { return {ports, ports}; }

enum class ObstacleKind : std::uint8_t {
  kClique,     // m+1 flows, every two of which share an edge element
  kOddCycle,   // m = 2: an odd number of flows around a cycle of shared edge elements
  kExhausted,  // every assignment of middle switches was tried
};

struct Obstacle {
  std::uint32_t level = 0;           // the flows cannot all be in one switch of this level
  std::vector<std::uint32_t> flows;  // ascending; any of them left out, the rest has colours (as far as `uses` tells)
  ObstacleKind kind = ObstacleKind::kExhausted;
  std::vector<std::uint32_t> uses;  // obstacles of the next level: sets that may not have one colour
  std::uint64_t tried = 0;          // choices of a colour until the search was exhausted
};

// Do two flows share an edge element of a switch of this level? Then they need different middle switches there.
bool share_element(const Flow& a, const Flow& b, std::uint32_t level);

// The proof in words, the last obstacles of a long one. Requires: a proof of flows in a Fred_m(ports).
std::string explain(std::span<const Obstacle> proof, std::span<const Flow> flows, std::uint32_t ports,
                    std::uint32_t middles);

}  // namespace helio::fabric
