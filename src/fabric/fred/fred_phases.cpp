// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_phases.h"

#include <fmt/format.h>

#include <numeric>

namespace helio::fabric {

std::string StrategyPhase::name() const {
  constexpr const char* kNames[] = {"mp", "dp", "pp"};
  return fmt::format("{}-{}-{} {}", mp, dp, pp, kNames[static_cast<int>(phase)]);
}

std::vector<StrategyPhase> strategy_phases(std::uint32_t npus) {
  std::vector<StrategyPhase> all;
  for (std::uint32_t mp = 1; mp <= npus; ++mp)
    for (std::uint32_t dp = 1; dp <= npus / mp; ++dp)
      for (std::uint32_t pp = 1; pp <= npus / mp / dp; ++pp) {
        if (mp > 1) all.push_back({mp, dp, pp, TrainingPhase::kMp});
        if (dp > 1) all.push_back({mp, dp, pp, TrainingPhase::kDp});
        if (pp > 1) all.push_back({mp, dp, pp, TrainingPhase::kPp});
      }
  return all;
}

std::vector<Flow> flows_of(const StrategyPhase& phase) {
  const auto npu = [&](std::uint32_t mp, std::uint32_t dp, std::uint32_t pp) {
    return mp + phase.mp * (pp + phase.pp * dp);
  };
  std::vector<Flow> flows;
  switch (phase.phase) {
    case TrainingPhase::kMp:
      if (phase.mp == 1) break;
      for (std::uint32_t block = 0; block < phase.dp * phase.pp; ++block) {
        std::vector<std::uint32_t> group(phase.mp);
        std::iota(group.begin(), group.end(), block * phase.mp);
        flows.push_back(all_reduce_flow(group));
      }
      break;
    case TrainingPhase::kDp:
      if (phase.dp == 1) break;
      for (std::uint32_t pp = 0; pp < phase.pp; ++pp)
        for (std::uint32_t mp = 0; mp < phase.mp; ++mp) {
          std::vector<std::uint32_t> group;
          for (std::uint32_t dp = 0; dp < phase.dp; ++dp) group.push_back(npu(mp, dp, pp));
          flows.push_back(all_reduce_flow(group));
        }
      break;
    case TrainingPhase::kPp:
      for (std::uint32_t dp = 0; dp < phase.dp; ++dp)
        for (std::uint32_t pp = 0; pp + 1 < phase.pp; ++pp) {
          Flow flow{.inputs = {npu(0, dp, pp)}, .outputs = {}};
          for (std::uint32_t mp = 0; mp < phase.mp; ++mp) flow.outputs.push_back(npu(mp, dp, pp + 1));
          flows.push_back(std::move(flow));
        }
      break;
  }
  return flows;
}

Flexibility flexibility(const FredSwitch& fred, const RouteOptions& options) {
  Flexibility result;
  for (const StrategyPhase& phase : strategy_phases(fred.ports())) {
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

}  // namespace helio::fabric
