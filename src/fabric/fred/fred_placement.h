// SPDX-License-Identifier: Apache-2.0
// Which NPU does which rank's work, so that every phase of a strategy routes through a FRED fabric at full rate (ours; the paper
// fixes one placement and claims that it suffices, section 5; spec papers/fred.md, 2.3 and 7).
//
//     5-4-1 on 5 L1 groups of 4             paper: mp fastest            dp fastest, groups whole
//                                         L1 0   L1 1   L1 2 …         L1 0   L1 1   L1 2 …
//     rank (mp, dp)                       00 10  01 11  02 12          00 01  10 11  20 21
//                                         20 30  21 31 …               02 03  12 13  22 23
//     dp groups (0,·), (1,·), …           five, each over 4 L1s: no    one in each L1
//     mp groups (·,0), (·,1), …           four, two cross              four, each over 5 L1s: two per L2 chip
//
// Candidates, in this order: the paper's placement; each order of the dimensions, dense or with blocks kept whole inside L1s;
// a seeded local search of swaps that starts at the best of those. A placement is accepted when the exact router routes every
// phase. "None found" is a proof only where a count shows it; the answer says which.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "fabric/fred/fred_tree.h"

namespace helio::fabric {

// One Fred_m(P) for all NPUs.
struct FredFlat {
  std::uint32_t ports = 20, middles = 3;
};
using FredTarget = std::variant<FredTreeShape, FredFlat>;

std::uint32_t places(const FredTarget& target);

// What runs at once; several such sets run one after another and share one placement.
using FredPhaseFlows = std::vector<Flow>;

struct PlacementOptions {
  std::uint64_t seed = 1;
  std::uint32_t swaps = 4000;                                // local search: swaps tried before giving up
  TreeRouteOptions route{.work_limit = 20'000, .chip = {}};  // of each placement tried
};

enum class PlacementOutcome : std::uint8_t { kFound, kImpossible, kNotFound };

struct FredPlacement {
  PlacementOutcome outcome = PlacementOutcome::kFound;
  std::string how;                   // "paper", "dp-mp-pp, blocks whole", "local search, 12 swaps", …
  std::vector<std::uint32_t> place;  // of each rank or node; the best when none routes everything
  std::vector<double> rates;         // of each phase there: 1 where it routes
  std::string reason;                // when not found: why, or what was tried
  std::uint64_t tried = 0;           // placements
};

// A placement of ranks that are counted in three dimensions, the fastest first, for all phases of a strategy.
// Throws Error(kInput) when a dimension is 0 or there are more ranks than places.
FredPlacement place_ranks(const FredTarget& target, const std::array<std::uint32_t, 3>& extents,
                          std::span<const FredPhaseFlows> phases, const PlacementOptions& options = {});

// Other nodes for flows that do not fit where they are: `place[node]` does the work of `node`, a permutation of all places; the
// identity when everything routes already. I/O controllers stay where they are. Throws as route_tree and best_rate.
FredPlacement replace_flows(const FredTarget& target, std::span<const FredPhaseFlows> phases,
                            const PlacementOptions& options = {});

// Flows, or a group, after the placement.
Flow moved(const Flow& flow, std::span<const std::uint32_t> place);
std::vector<std::uint32_t> moved(std::span<const std::uint32_t> nodes, std::span<const std::uint32_t> place);

}  // namespace helio::fabric
