// SPDX-License-Identifier: Apache-2.0
// `--strategy MP-DP-PP --phase mp|dp|pp`: the groups of one phase of 3D-parallel training, all at once.
//
// Rank mp + MP·(pp + PP·dp) stands on the NPU of that number. On a grid NPUs are numbered column by column, so that
// consecutive ones fill the last dimension first (papers/fred.md 2.5); everywhere else a number is a node.
#pragma once

#include <string>

#include "base/catalogue.h"
#include "fabric/fred/fred_phases.h"
#include "schedule/capabilities.h"
#include "schedule/request.h"

namespace helio::pipeline {

// "2-5-2" and "dp". Throws Error(kInput) at the setting's place for what is no strategy, or has no such phase (its dimension is 1).
fabric::StrategyPhase strategy_phase(const Setting& strategy, const Setting& phase);

// mp and dp phases have any kind; the pp phase is a broadcast from member 0 of a stage to all members of the next, and `all-reduce`
// asks for it, too. Throws Error(kInput) for other kinds.
schedule::Kind kind_of_phase(const fabric::StrategyPhase& phase, schedule::Kind asked, const std::string& place);

// Throws Error(kInput) where the strategy has more ranks than the fabric has nodes.
std::vector<std::vector<NodeId>> groups_of(const fabric::StrategyPhase& phase,
                                           const schedule::Capabilities& capabilities, const std::string& place);

}  // namespace helio::pipeline
