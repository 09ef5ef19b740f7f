// SPDX-License-Identifier: Apache-2.0
// Latencies between the ranks of a graph that a lower bound may rely on (docs/bounds.md, "Where the numbers of a graph come from").
//
// Invariant: no two ranks are nearer than `nearest`; `farthest` is at most the distance of some pair, and half of it at most what
// separates any rank from some other, in either direction. Distance is the least latency over all ways, whatever routing takes.
#pragma once

#include "base/time.h"
#include "fabric/electrical/graph_file.h"

namespace helio::fabric {

struct Distances {
  Time nearest, farthest;
};

// Exact where ranks times arcs are few, else safe. Requires: every arc has its latency.
Distances distances(const Graph& graph, const ArcIndex& leaving);

}  // namespace helio::fabric
