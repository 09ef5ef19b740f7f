// SPDX-License-Identifier: Apache-2.0
// What ODDL's slice planner answers to jobs that arrive, grow, lose nodes and leave, and how they run on their slices
// (docs/oddl-slices.md). A refusal is an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ask/front_end.h"
#include "pipeline/slice_story.h"

namespace helio::ask {

struct SlicesQuestion {
  std::string file;                        // of events
  bool run = false;                        // move the jobs' bytes, too
  bool prove = false;                      // and compare with the same without each job
  std::optional<std::uint32_t> runs = {};  // of a stretch that are simulated at most; 0: all; none: as the file says
  Naming called = as_it_is;
};

// Throws Error(kInfeasible) for a refused event that says must = true and for a job larger than the fabric, Error(kInput) at
// file:line:column for nodes that overlap or do not exist, for a job that nobody admitted, and with `run` for one that moves nothing.
pipeline::SliceTold slices(const SlicesQuestion& question, const Watch& watch = {});

}  // namespace helio::ask
