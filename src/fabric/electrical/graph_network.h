// SPDX-License-Identifier: Apache-2.0
// A graph as the network that schedules are fitted to (schedule/network.h): nodes first, in the order of ranks, then switches.
//
// Invariant: `link` of an arc is the number of the resource that GraphFabric makes of it: parallel links are an arc each, or one of their
// joint rate where they are sprayed on.
#pragma once

#include "fabric/electrical/graph_file.h"
#include "schedule/network.h"

namespace helio::fabric {

// Requires: every arc has its latency.
schedule::Network network_of(const Graph& graph, bool sprayed);

}  // namespace helio::fabric
