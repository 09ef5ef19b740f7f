// SPDX-License-Identifier: Apache-2.0
// Dataflow order made explicit: which instance of which move waits for which.
//
// An instance of a move is one of its active rounds, counted from 0. It waits for
//   - the moves of earlier rounds that wrote what it reads (the last to write it),
//   - the moves of earlier rounds that wrote or read what it overwrites (since and including the last write),
//   - the instance before it in its queue; without a queue, its own previous instance, which is not listed here.
//
// Repetition is kept: one dependency stands for a run of instances with a constant distance. A schedule whose symmetry claim
// holds is analysed at one member of each orbit, so that a ring of a million ranks costs a few million steps.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace helio::schedule {

// A node of the dependency graph: a move, by its place among all moves of the schedule, phase after phase; or, from
// `moves` on, a join: something that takes no time and stands for "all of these", so that m moves that wait for the same k
// need k + m dependencies and not k * m.
using NodeIndex = std::uint32_t;

// Instance i of `to`, for i in [first, last), waits for instance i + offset of `from`. A join has one instance, 0.
struct Dependency {
  NodeIndex from = 0, to = 0;
  std::int32_t offset = 0;
  std::uint32_t first = 0, last = 1;
  friend auto operator<=>(const Dependency&, const Dependency&) = default;
};

struct Dependencies {
  std::uint32_t moves = 0;
  std::uint32_t joins = 0;
  std::vector<Dependency> list;
};

// Throws Error(kInfeasible) when the analysis would take more than `work_limit` slot touches.
// Requires: check(schedule) passed.
Dependencies dependencies(const Schedule& schedule, std::uint64_t work_limit = 1'000'000'000);

}  // namespace helio::schedule
