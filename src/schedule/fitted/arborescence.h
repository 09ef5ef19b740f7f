// SPDX-License-Identifier: Apache-2.0
// The cheapest tree that leads from a root to everybody, in a graph with directions.
//
// Everybody takes the cheapest arc that enters it; where these close a circle, the circle becomes one vertex, and what enters it costs
// what it saves less (Chu and Liu, 1965; Edmonds, "Optimum branchings", 1967).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace helio::schedule {

struct WeighedArc {
  std::uint32_t from = 0, to = 0;
  double cost = 0;
};

// For every vertex but the root the index of the arc that enters it; of the root, kNoArc. Empty where somebody cannot be reached.
inline constexpr std::uint32_t kNoArc = 0xffffffffu;
std::vector<std::uint32_t> cheapest_arborescence(std::uint32_t vertices, std::uint32_t root,
                                                 std::span<const WeighedArc> arcs);

}  // namespace helio::schedule
