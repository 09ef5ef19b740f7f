// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/strategy_flows.h"

#include <utility>

namespace helio::studies {

using fabric::Flow;
using fabric::FredBlocked;
using fabric::FredRouting;
using placement::StrategyPhase;
using placement::TrainingPhase;

std::vector<Flow> flows_of(const StrategyPhase& phase) {
  std::vector<Flow> flows;
  for (std::vector<std::uint32_t>& ranks : rank_groups(phase)) {
    if (phase.phase == TrainingPhase::kPp)
      flows.push_back({{ranks.front()}, {ranks.begin() + 1, ranks.end()}});
    else
      flows.push_back(fabric::all_reduce_flow(std::move(ranks)));
  }
  return flows;
}

Flexibility flexibility(const fabric::FredSwitch& fred, const fabric::RouteOptions& options) {
  Flexibility result;
  for (const StrategyPhase& phase : placement::strategy_phases(fred.ports())) {
    ++result.phases;
    const FredRouting routing = route(fred, flows_of(phase), options);
    const auto* blocked = std::get_if<FredBlocked>(&routing);
    if (!blocked) {
      ++result.routed;
    } else if (blocked->proven) {
      result.blocked.push_back(phase);
      result.reasons.push_back(blocked->reason);
    } else {
      result.undecided.push_back(phase);
    }
  }
  return result;
}

fabric::FredPlacement place_strategy(const fabric::FredTarget& target, std::uint32_t mp, std::uint32_t dp,
                                     std::uint32_t pp, const fabric::PlacementOptions& options) {
  std::vector<fabric::FredPhaseFlows> phases;
  for (const TrainingPhase phase : {TrainingPhase::kMp, TrainingPhase::kDp, TrainingPhase::kPp})
    if (auto flows = flows_of({mp, dp, pp, phase}); !flows.empty()) phases.push_back(std::move(flows));
  return fabric::place_ranks(target, {mp, pp, dp}, phases, options);
}

}  // namespace helio::studies
