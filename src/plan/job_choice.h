// SPDX-License-Identifier: Apache-2.0
// `auto` in jobs: each class of traffic of each job by the fastest algorithm for its groups, its sizes and the fabric.
//
//     jobs ─▶ requests ─▶ alike ones together ─▶ fastest (auto.h) ─▶ Choices ─┐
//       │                                                                     ├─▶ pipeline::run_jobs ─▶ the better of both
//       └──────────────────────── as usual ───────────────────────────────────┘
//
// Requests of one class, kind and size are searched once, for all their groups together, because the cells of a job run alike and meet
// on links. Of many sizes kMostSizes are searched, and the others take what was found for the nearest. A search runs only what may take
// less than the usual choice does.
//
// What is faster by itself may be slower among others, so the whole iteration decides: by all that was found, by what is usual, and, where
// the latter is faster, class by class.
//
// Invariant: no job takes longer than by the usual algorithms, and the result tells both times, what was found for whom, and what the
// usual takes for the same exchange. Where the usual choice cannot be carried, what was found is the answer; where the budget does not
// allow a second run, the usual one is, and says so.
#pragma once

#include <cstddef>
#include <vector>

#include "pipeline/iteration.h"

namespace helio::plan {

inline constexpr std::size_t kMostSizes = 4;                 // of one class and kind
inline constexpr std::size_t kMostRanksTogether = 1u << 12;  // of the groups that are searched together

// How much work a trial may take, in counts that are the same on every machine.
inline constexpr pipeline::WorkLimits kJobSearchLimits{
    .nodes = 1u << 20, .moves = 1u << 17, .crossings = 1u << 20, .sharing = 1u << 24, .events = 1u << 18};

// Answers jobs whose algorithms are open by searching, and others as pipeline::run_jobs does. Throws as that does.
std::vector<pipeline::IterationResult> answer_jobs(const pipeline::Experiment& experiment,
                                                   const pipeline::RunOptions& options = {});

}  // namespace helio::plan
