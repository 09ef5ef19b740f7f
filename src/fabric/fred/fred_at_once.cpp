// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_at_once.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fabric/lowering.h"
#include "fabric/routed.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Schedule;

namespace {

using Ends = std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>;

Ends ends(const Flow& flow) { return {flow.inputs, flow.outputs}; }

}  // namespace

std::vector<FlowsAtOnce> flows_at_once(const Schedule& schedule, const CollectiveRequest& request) {
  std::vector<FlowsAtOnce> all;
  for (std::uint32_t p = 0; p < schedule.phases.size(); ++p) {
    const schedule::Phase& phase = schedule.phases[p];
    for (const std::vector<std::uint32_t>& together : moves_together(phase)) {
      FlowsAtOnce now{.phase = p};
      for (std::uint32_t g = 0; g < request.groups.size(); ++g)
        for (const std::uint32_t i : together) {
          const schedule::Move& move = phase.moves[i];
          if (move.source >= 0 && move.destination >= 0) continue;
          const auto ports = [&](schedule::Position end) {
            std::vector<std::uint32_t> found;
            for (const schedule::Position position : schedule.members(end))
              found.push_back(request.groups[g][static_cast<std::size_t>(position)].value);
            return found;
          };
          now.flows.push_back({ports(move.source), ports(move.destination)});
          now.groups.push_back(g);
          now.moves.push_back(i);
        }
      if (!now.flows.empty()) all.push_back(std::move(now));
    }
  }

  // The largest first; what is part of one of these goes the ways that it has there
  std::stable_sort(all.begin(), all.end(),
                   [](const FlowsAtOnce& a, const FlowsAtOnce& b) { return a.flows.size() > b.flows.size(); });
  std::vector<FlowsAtOnce> largest;
  std::map<Ends, std::vector<std::size_t>> sets_with;  // of each flow, the kept sets that have it
  for (FlowsAtOnce& now : all) {
    std::vector<std::size_t> with_all = sets_with[ends(now.flows.front())];
    for (const Flow& flow : now.flows) {
      const std::vector<std::size_t>& with = sets_with[ends(flow)];
      std::erase_if(with_all, [&](std::size_t set) { return !std::ranges::binary_search(with, set); });
    }
    if (!with_all.empty()) continue;
    for (const Flow& flow : now.flows) sets_with[ends(flow)].push_back(largest.size());
    largest.push_back(std::move(now));
  }
  return largest;
}

}  // namespace helio::fabric
