// SPDX-License-Identifier: Apache-2.0
// Flows that do not all fit into one plane of a FRED tree: which planes carry which of them, so that the worst served has as many
// planes as can be (spec papers/fred.md, 2.3 and 7). A flow that k of the planes carry has the rate k / planes.
//
//     dp of 5-4-1: five collectives, any four fit                plane  0  1  2  3  4
//                                                     flow 0            ·  █  █  █  █
//     each plane leaves one out, each flow is         flow 1            █  ·  █  █  █      4 of 5 planes each: 80 %
//     left out by one plane                           …
//
// Exact: what does not fit is known by its smallest sets (FredTreeBlocked::flows). A plane must leave out one flow of every such
// set; with at most a planes per flow left out, a = 0, 1, 2, …, the choices are searched; each plane found is routed, and a set that
// it blocks on is one more set. The first a with an answer is the best.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/fred/fred_tree.h"

namespace helio::fabric {

struct FredTreeRate {
  std::uint32_t planes = 0, worst = 0;    // of the planes, those that carry the worst served flow
  std::vector<std::uint32_t> carried_by;  // of each flow, the number of planes
  std::vector<FredPlane> plane;           // what each carries, routed
  bool proven = true;                     // that no better `worst` exists
  std::string reason;                     // why not more; "" when every plane carries all

  double rate() const { return planes == 0 ? 0 : static_cast<double>(worst) / planes; }
  bool full() const { return worst == planes; }
};

// `worst` may be 0: then some flows have to wait for others. Throws as route_tree, and WorkLimitError when the limit comes before
// any answer.
FredTreeRate best_rate(const FredTreeShape& shape, std::span<const Flow> flows, const TreeRouteOptions& options = {});

}  // namespace helio::fabric
