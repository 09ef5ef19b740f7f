// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred_at_once.h"

#include <algorithm>

#include "fabric/routed.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Schedule;

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
      const auto same = [&](const FlowsAtOnce& other) { return other.flows == now.flows; };
      if (!now.flows.empty() && std::ranges::none_of(all, same)) all.push_back(std::move(now));
    }
  }
  return all;
}

}  // namespace helio::fabric
