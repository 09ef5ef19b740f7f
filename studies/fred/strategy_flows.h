// SPDX-License-Identifier: Apache-2.0
// The phases of 3D-parallel training (placement/strategy_phase.h) as flows on one FRED switch, rank r on port r, and which of them route
// (spec papers/fred.md, 2.3).
#pragma once

#include <string>
#include <vector>

#include "fabric/fred/fred_placement.h"
#include "fabric/fred/fred_router.h"
#include "placement/strategy_phase.h"

namespace helio::studies {

// All-reduces of the groups of mp and dp; multicasts of pp. Empty when the phase's dimension is one.
std::vector<fabric::Flow> flows_of(const placement::StrategyPhase& phase);

struct Flexibility {
  std::uint32_t phases = 0, routed = 0;
  std::vector<placement::StrategyPhase> blocked;    // proven
  std::vector<placement::StrategyPhase> undecided;  // within the work limit
  std::vector<std::string> reasons;                 // of blocked, in the same order
};

// Routes every strategy-phase of at most so many NPUs as the switch has ports.
Flexibility flexibility(const fabric::FredSwitch& fred, const fabric::RouteOptions& options = {});

// A placement of a strategy's ranks for all its phases whose dimension is more than one. Throws as fabric::place_ranks.
fabric::FredPlacement place_strategy(const fabric::FredTarget& target, std::uint32_t mp, std::uint32_t dp,
                                     std::uint32_t pp, const fabric::PlacementOptions& options = {});

}  // namespace helio::studies
