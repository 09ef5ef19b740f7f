// SPDX-License-Identifier: Apache-2.0
// One phase of a strategy of 3D-parallel training: the groups of ranks that exchange in it, all at once.
//
// Rank mp + MP·(pp + PP·dp): MP fastest, then PP, then DP (FRED, arXiv 2406.19580, section 5). Of strategy 2-2-2:
//
//      dp 0                 dp 1             phase   groups
//      pp 0      pp 1       pp 0     pp 1
//      0 1       2 3        4 5      6 7     mp      {0,1} {2,3} {4,5} {6,7}            mp varies
//                                            dp      {0,4} {1,5} {2,6} {3,7}            dp varies
//                                            pp      0 → {2,3}    4 → {6,7}             member 0 of a stage to all of the next
//
// A phase counts when its dimension is more than one: 3 · (Σ_{n≤P} d₃(n) − Σ_{n≤P} d₂(n)) of them have at most P ranks, where
// d_k(n) is the number of ways to write n as an ordered product of k factors. For P = 20: 3 · (152 − 66) = 258.
//
// On a grid ranks stand column by column, so that consecutive ones fill the last dimension first (papers/fred.md 2.5); everywhere else
// a rank's number is its node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/catalogue.h"
#include "base/id.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"

namespace helio::placement {

enum class TrainingPhase : std::uint8_t { kMp, kDp, kPp };

struct StrategyPhase {
  std::uint32_t mp = 1, dp = 1, pp = 1;
  TrainingPhase phase = TrainingPhase::kMp;

  std::string name() const;  // "5-4-1 dp": MP-DP-PP, then the phase
  friend bool operator==(const StrategyPhase&, const StrategyPhase&) = default;
};

// Those of at most so many ranks, in order of mp, dp, pp, phase.
std::vector<StrategyPhase> strategy_phases(std::uint32_t ranks);

// Ranks by number; of a pp phase who sends, then who receives. Empty when the phase's dimension is one.
std::vector<std::vector<std::uint32_t>> rank_groups(const StrategyPhase& phase);

// "2-5-2" and "dp". Throws Error(kInput) at the setting's place for what is no strategy, or has no such phase (its dimension is 1).
StrategyPhase strategy_phase(const Setting& strategy, const Setting& phase);

// mp and dp phases have any kind; the pp phase is a broadcast from member 0 of a stage to all members of the next, and `all-reduce`
// asks for it, too. Throws Error(kInput) for other kinds.
schedule::Kind kind_of_phase(const StrategyPhase& phase, schedule::Kind asked, const std::string& place);

// Nodes of a fabric. Throws Error(kInput) where the strategy has more ranks than the fabric has nodes.
std::vector<std::vector<NodeId>> groups_of(const StrategyPhase& phase, const schedule::Capabilities& capabilities,
                                           const std::string& place);

}  // namespace helio::placement
