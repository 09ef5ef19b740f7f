// SPDX-License-Identifier: Apache-2.0
// Cuts of a graph for the lower bound: sets of vertices whose links to the rest are few.
//
// Any set of vertices makes a true cut, so a search can only miss the narrowest, never lie. Looked at, in linear time each:
//
//     every rank alone
//     every switch with the ranks that hang on it alone          a rack
//     every subtree of a depth-first tree                        all bridges among them
//     all beginnings of a breadth-first order from both ends     two halves of what is long
//
// and, by max-flow (schedule/fitted/tightest_cut.h) where ranks times arcs are few, exactly those that bind all-gather and reduce-scatter.
//
// Invariant: for each kind of collective the narrowest of those looked at is among those returned.
#pragma once

#include <vector>

#include "fabric/electrical/graph_file.h"
#include "schedule/capabilities.h"

namespace helio::fabric {

std::vector<schedule::Cut> narrow_cuts(const Graph& graph);

}  // namespace helio::fabric
