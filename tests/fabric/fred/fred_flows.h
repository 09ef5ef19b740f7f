// SPDX-License-Identifier: Apache-2.0
// Flows for tests of the FRED switch: all of a small space, or any of a large one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "base/random.h"
#include "fabric/fred/fred_placement.h"
#include "fabric/fred/fred_router.h"
#include "placement/strategy_phase.h"

namespace helio::fabric {

using placement::strategy_phases;
using placement::StrategyPhase;
using placement::TrainingPhase;

// The groups of a phase of 3D-parallel training as flows, rank r on port r.
inline std::vector<Flow> flows_of(const StrategyPhase& phase) {
  std::vector<Flow> flows;
  for (const std::vector<std::uint32_t>& ranks : rank_groups(phase))
    flows.push_back(phase.phase == TrainingPhase::kPp ? Flow{{ranks.front()}, {ranks.begin() + 1, ranks.end()}}
                                                      : all_reduce_flow(ranks));
  return flows;
}

inline FredPlacement place_strategy(const FredTarget& target, std::uint32_t mp, std::uint32_t dp, std::uint32_t pp,
                                    const PlacementOptions& options = {}) {
  std::vector<FredPhaseFlows> phases;
  for (const TrainingPhase phase : {TrainingPhase::kMp, TrainingPhase::kDp, TrainingPhase::kPp})
    if (auto flows = flows_of({mp, dp, pp, phase}); !flows.empty()) phases.push_back(std::move(flows));
  return place_ranks(target, {mp, pp, dp}, phases, options);
}

inline double worst_rate(const FredPlacement& placement) {
  return placement.rates.empty() ? 1 : std::ranges::min(placement.rates);
}

using VisitFlows = std::function<void(const std::vector<Flow>&)>;

// All-reduces over every way to put ports 0 … ports−1 into groups, of `size` each when it is not 0. Bell(ports) of them.
inline void for_each_partition(std::uint32_t ports, std::uint32_t size, const VisitFlows& visit) {
  std::vector<std::vector<std::uint32_t>> groups;
  const std::function<void(std::uint32_t)> add = [&](std::uint32_t port) {
    if (port == ports) {
      std::vector<Flow> flows;
      for (const auto& group : groups) {
        if (size != 0 && group.size() != size) return;
        flows.push_back(all_reduce_flow(group));
      }
      return visit(flows);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (size != 0 && groups[g].size() == size) continue;
      groups[g].push_back(port);
      add(port + 1);
      groups[g].pop_back();
    }
    if (size != 0 && groups.size() == ports / size) return;
    groups.push_back({port});
    add(port + 1);
    groups.pop_back();
  };
  add(0);
}

// Every set of flows, order of flows aside: ports that no flow uses included, inputs and outputs independent.
inline void for_each_flow_set(std::uint32_t ports, const VisitFlows& visit) {
  std::vector<Flow> flows;
  const std::function<void(std::uint32_t)> give_output = [&](std::uint32_t port) {
    if (port == ports) {
      if (std::ranges::none_of(flows, [](const Flow& flow) { return flow.outputs.empty(); })) visit(flows);
      return;
    }
    give_output(port + 1);
    for (Flow& flow : flows) {
      flow.outputs.push_back(port);
      give_output(port + 1);
      flow.outputs.pop_back();
    }
  };
  const std::function<void(std::uint32_t)> give_input = [&](std::uint32_t port) {
    if (port == ports) return give_output(0);
    give_input(port + 1);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      flows[f].inputs.push_back(port);
      give_input(port + 1);
      flows[f].inputs.pop_back();
    }
    flows.push_back({{port}, {}});
    give_input(port + 1);
    flows.pop_back();
  };
  give_input(0);
}

// Shuffled ports cut into groups of at most `most`; some left out.
inline std::vector<std::vector<std::uint32_t>> random_groups(std::uint32_t ports, std::uint32_t most, Random& random) {
  std::vector<std::uint32_t> order(ports);
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::size_t at = 0; at < order.size();) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t size = std::min<std::size_t>(1 + random.below(most), order.size() - at);
    if (random.below(8) != 0) groups.emplace_back(first, first + static_cast<std::ptrdiff_t>(size));
    at += size;
  }
  return groups;
}

inline std::vector<Flow> random_all_reduces(std::uint32_t ports, std::uint32_t most, Random& random) {
  std::vector<Flow> flows;
  for (const auto& group : random_groups(ports, most, random)) flows.push_back(all_reduce_flow(group));
  return flows;
}

// Input and output sets drawn apart.
inline std::vector<Flow> random_flows(std::uint32_t ports, std::uint32_t most, Random& random) {
  auto inputs = random_groups(ports, most, random), outputs = random_groups(ports, most, random);
  std::vector<Flow> flows;
  for (std::size_t f = 0; f < std::min(inputs.size(), outputs.size()); ++f) flows.push_back({inputs[f], outputs[f]});
  return flows;
}

// The fewest middle switches with which a switch of so many ports carries the flows: two or more. Throws as check_flows, and
// WorkLimitError when the limit leaves it open.
inline std::uint32_t fewest_middles(std::uint32_t ports, std::span<const Flow> flows,
                                    const RouteOptions& options = {}) {
  for (std::uint32_t middles = 2;; ++middles) {
    const FredRouting routing = route(FredSwitch(ports, middles), flows, options);
    const auto* blocked = std::get_if<FredBlocked>(&routing);
    if (!blocked) return middles;
    if (!blocked->proven) throw WorkLimitError(blocked->reason);
  }
}

// Other nodes for all-reduces over groups that run at once.
inline FredPlacement replace_groups(const FredTarget& target, std::span<const std::vector<std::uint32_t>> groups) {
  FredPhaseFlows flows;
  for (const auto& group : groups) flows.push_back(all_reduce_flow(group));
  return replace_flows(target, std::span(&flows, 1));
}

}  // namespace helio::fabric
