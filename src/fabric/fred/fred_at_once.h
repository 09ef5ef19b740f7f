// SPDX-License-Identifier: Apache-2.0
// What a schedule asks of switches that add and copy: the flows that run in the same rounds and must therefore route together.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fred/fred_obstacle.h"
#include "schedule/schedule.h"

namespace helio::fabric {

// In-switch flows that run in the same rounds, over all groups.
struct FlowsAtOnce {
  std::uint32_t phase = 0;
  std::vector<Flow> flows;
  std::vector<std::uint32_t> groups, moves;  // of each flow: whose it is
};

// Unicasts are left out, and so are sets that are part of another; the largest set comes first. Requires: schedule and request belong together.
std::vector<FlowsAtOnce> flows_at_once(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request);

}  // namespace helio::fabric
