// SPDX-License-Identifier: Apache-2.0
// Slices of an ODDL fabric on a page: jobs over time, and at any moment who holds which nodes and which light (drawn by web/slices.js).
//
//     jobs × time     arrive, grow, lose a node, leave; dark while the WSS are set
//     moment          nodes by group; channels on the fibre out of each group, and where the WSS lead them (fabric/oddl/oddl_slice.h)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fabric/oddl/oddl_slice.h"
#include "pipeline/slice_runs.h"
#include "report/figures/figure.h"

namespace helio::report {

// Something that was asked of the planner, and what it answered.
struct SliceMark {
  Time at;
  std::string verb;            // admit, grow, fail, leave
  std::string job;             // empty: none is concerned
  std::optional<NodeId> node;  // fail
  bool done = true;
  std::string words;
};

struct SliceChart {
  fabric::OddlGeometry geometry;
  std::vector<std::string> jobs;
  std::vector<SliceMark> marks;  // in order of time
  std::vector<pipeline::SliceStretch> stretches;
  std::vector<Time> lit;                         // of each stretch: when the WSS have been set
  std::optional<Time> until;                     // the end of all
  std::optional<pipeline::SliceRuns> runs = {};  // where the jobs' bytes were moved, too
};

// Requires: `lit` as long as `stretches`. Marks of jobs that never ran have rows of their own.
Figure slice_figure(const SliceChart& chart);

}  // namespace helio::report
