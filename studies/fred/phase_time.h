// SPDX-License-Identifier: Apache-2.0
// The time of one phase of a strategy, all its groups at once, in seconds per byte of one group's vector (papers/fred.md 2.5, 2.8).
// D bytes, n members of a group, L a mesh link, N an NPU's link, U an L1's uplink.
//
//   mesh   all-reduce of the whole wafer   2(n-1)/n D / 2L     two links per NPU: the paper's rule
//          all-reduce of other groups      2(n-1)/n D · load / L, load of the hottest link by the rule below
//          multicast                       D · load / L        union of X-Y paths
//
//          one link      load 1: every group has a link of its own per NPU, the "uncongested" reading
//          X-Y rings     in the order of NPU numbers, every hop X-Y routed; NPUs are numbered column by column
//          snake         the same, every other column numbered upwards
//          both ways     load 1/2 for even groups of 4 or more, which close a cycle and use it in both directions; else 1
//
//   tree   adds          max(D/N, k D/U)                       k collectives of an L1 cross its border
//          does not      max(2(n-1)/n D/N, Σ 2(q-1)/q D/U)     over the collectives that cross, each over q L1s with equally
//                                                              many members; 2(n-1)/n for one where they are not equally many
//          multicast     max(D/N, k D/U)                       k in the busier direction
#pragma once

#include <cstdint>

#include "studies/fred/strategy_flows.h"
#include "studies/fred/wafer.h"

namespace helio::studies::fred_study {

enum class MeshRule { kOneLink, kXyRings, kSnake, kBothWays };

const char* name_of(MeshRule rule);

// Of an NPU on the mesh.
struct Position {
  int x = 0, y = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};
Position position_of(std::uint32_t npu, bool snake);

// The mp and dp phases all-reduce, the pp phase multicasts. 0 where the phase's dimension is 1.
double mesh_seconds_per_byte(const placement::StrategyPhase& phase, MeshRule rule);
double tree_seconds_per_byte(const placement::StrategyPhase& phase, Wafer wafer);
double seconds_per_byte(const placement::StrategyPhase& phase, Wafer wafer, MeshRule rule);

}  // namespace helio::studies::fred_study
