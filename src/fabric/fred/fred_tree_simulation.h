// SPDX-License-Identifier: Apache-2.0
// A configured plane of a FRED tree on real numbers: up through the L1 chiplets, through the L2 chips, down through the same L1
// chiplets, each chip micro-switch by micro-switch (fred_simulation.h). Only links and settings count here, no flows.
//
//     NPUs ──▶ L1 ──up──▶ L2 ──down──▶ L1 ──▶ NPUs
//               └── local ──────────────┘       nothing that came down may go up again: checked
#pragma once

#include <span>
#include <vector>

#include "fabric/fred/fred_simulation.h"
#include "fabric/fred/fred_tree.h"

namespace helio::fabric {

struct FredTreePassage {
  std::vector<PortVector> outputs;  // at each end of the tree
  bool settled = true;              // what went up did not depend on what came down
  FredActivity activity;            // over all chips
};

// Requires: a vector (or nothing) per end, all of one length; a plane of that shape.
FredTreePassage simulate(const FredTreeShape& shape, const FredPlane& plane, std::span<const PortVector> inputs);

// For all vectors: a unit vector enters at every end, also where no flow begins. `flows` are all; the plane's own are compared.
FredCheck check_collective(const FredTreeShape& shape, const FredPlane& plane, std::span<const Flow> flows);

}  // namespace helio::fabric
