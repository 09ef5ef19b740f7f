// SPDX-License-Identifier: Apache-2.0
// The strategies of 3D-parallel training as flows on one FRED switch, and which of them route (spec papers/fred.md, 2.3).
//
// NPU mp + MP·(pp + PP·dp) sits on the port of its number: MP fastest, then PP, then DP (paper, section 5). Of strategy 2-2-2:
//
//      dp 0                 dp 1             phase   flows, all at once
//      pp 0      pp 1       pp 0     pp 1
//      0 1       2 3        4 5      6 7     mp      {0,1} {2,3} {4,5} {6,7}            all-reduce: mp varies
//                                            dp      {0,4} {1,5} {2,6} {3,7}            all-reduce: dp varies
//                                            pp      0 → {2,3}    4 → {6,7}             member 0 of a stage to all of the next
//
// A phase counts when its dimension is more than one: 3 · (Σ_{n≤P} d₃(n) − Σ_{n≤P} d₂(n)) of them have at most P NPUs, where
// d_k(n) is the number of ways to write n as an ordered product of k factors. For P = 20: 3 · (152 − 66) = 258.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fred/fred_router.h"

namespace helio::fabric {

enum class TrainingPhase : std::uint8_t { kMp, kDp, kPp };

struct StrategyPhase {
  std::uint32_t mp = 1, dp = 1, pp = 1;
  TrainingPhase phase = TrainingPhase::kMp;

  std::string name() const;  // "5-4-1 dp": MP-DP-PP, then the phase
  friend bool operator==(const StrategyPhase&, const StrategyPhase&) = default;
};

// Those of at most so many NPUs, in order of mp, dp, pp, phase.
std::vector<StrategyPhase> strategy_phases(std::uint32_t npus);

// Empty when the phase's dimension is one.
std::vector<Flow> flows_of(const StrategyPhase& phase);

struct Flexibility {
  std::uint32_t phases = 0, routed = 0;
  std::vector<StrategyPhase> blocked;    // proven
  std::vector<StrategyPhase> undecided;  // within the work limit
  std::vector<std::string> reasons;      // of blocked, in the same order
};

// Routes every strategy-phase of at most so many NPUs as the switch has ports.
Flexibility flexibility(const FredSwitch& fred, const RouteOptions& options = {});

}  // namespace helio::fabric
