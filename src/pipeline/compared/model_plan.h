// SPDX-License-Identifier: Apache-2.0
// Which machine for a model, and how to run it there: what `helio plan` answers (plan/plan_model.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compared/comparison.h"

namespace helio::pipeline {

// A fabric with a way of spreading the model over it, that was simulated.
struct PlannedRun {
  Candidate candidate;      // bound_s: the planner's own closed bound
  double memory_bytes = 0;  // of the fullest NPU
  double samples_per_s = 0;
  bool cut = false;  // by its budget, before all algorithms were searched: it may be faster

  // How it was asked
  int tp = 1, pp = 1, cp = 1, ep = 1, dp = 1;
  std::size_t fabric = 0;    // of those that were asked for
  Settings job;              // its keys
  double batch_step = 0;     // batches are multiples of it
  std::uint64_t events = 0;  // work of the engine
};

struct ModelPlan {
  std::string model, npu;
  std::uint64_t npus = 0;
  double batch = 0;
  fabric::Footing footing;

  // What was looked at
  std::uint64_t judged = 0;     // candidates that a bound was found for, or that do not fit
  std::uint64_t no_memory = 0;  // of these
  std::uint64_t ran = 0, refused = 0;
  std::uint64_t skipped = 0;  // like those that their fabric refused
  double judging_s = 0;       // processor seconds of one core
  std::vector<std::string> defaults, not_searched;
  std::vector<Candidate> left_out;    // fabrics that cannot be, or are above the budget, with the reason
  std::vector<std::string> refusals;  // of candidates that were tried, in words

  // What was found
  std::vector<PlannedRun> runs;                    // the fastest first
  std::vector<std::size_t> best_of_family, front;  // of `runs`: by family; not beaten in time, watts and cost at once
  std::vector<double> family_gap;                  // of each family, as `gap`
  std::vector<std::size_t> splits;                 // of `runs`: the best of each (tp, pp, cp), the fastest first
  std::vector<Switching> switching;
  std::vector<std::string> steady;  // parameters that change nothing as far as was looked, in words
  double least_left_s = 0;          // the least bound of what was not simulated; 0: nothing is left
  double gap = 0;                   // 1 - that over the best time; 0: proven best within the model
  std::string ended;  // "proven", "runs", "time", "interrupted"; "budget": of a run that might have been faster
};

// The same over numbers of NPUs and batches. A cell that nobody can do has no runs, and says why in `left_out`.
struct ModelMap {
  std::string model, npu;
  fabric::Footing footing;
  std::vector<std::uint64_t> npus;   // rows
  std::vector<double> batches;       // columns
  std::vector<ModelPlan> cells;      // row by row
  std::vector<std::string> reasons;  // of cells without an answer; else empty
  // Of one batch, over all NPUs: cell and run, not beaten in time, watts, cost and NPUs at once.
  std::vector<std::pair<std::size_t, std::size_t>> front;
  std::vector<std::string> defaults, not_searched;
};

}  // namespace helio::pipeline
