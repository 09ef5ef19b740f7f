// SPDX-License-Identifier: Apache-2.0
// `helio plan`: fabrics × ways of spreading a model over them, in two stages that a reader can follow.
//
//   judge   every candidate: does it fit into memory, and what does it take at least (iteration_bound.h); plain arithmetic over tables that
//           are made once for each fabric and shape of groups
//   run     in the order of those bounds, on all cores, until the best time is below the least bound that is left: then nothing that was
//           not run can be faster, and the answer is proven best within the model. Else the gap is told
//   beside    what the proof did not need and people ask for: of each fabric that did not run its least bounds, and of the next splits
//             (tp, pp, cp) theirs, as far as the limit of runs allows; a third of it, kSplits at most, is kept for them
//
// Runs go in rounds that grow, whatever the number of threads: the same question has the same answer. Only a limit by the clock, and who
// interrupts, end it elsewhere, and the answer says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/compared/model_plan.h"
#include "plan/compare.h"
#include "plan/ways.h"

namespace helio::plan {

inline constexpr std::size_t kFirstRound = 2, kLargestRound = 16;  // each size twice
// Of ways whose exchanges are alike, a fabric that refused so many and carried none is not asked for more, and the answer says how many
// that are: what it lacks for those, it lacks for the others.
inline constexpr int kMostRefusals = 2;
inline constexpr std::size_t kSplits = 5;    // that are told beside the winner's
inline constexpr int kRoundsOfFamilies = 3;  // of those that did not run; one run of each in a round

// What every candidate must meet; none: it does not matter. Of a range the upper end counts.
struct NetworkLimits {
  std::optional<double> watts, cost, parts;
};

struct PlanQuestion {
  CompareQuestion fabrics;  // each with an experiment of one job, whose strategy is open
  StrategySpace space;
  NetworkLimits limits;
  double batch = 0;
  std::uint64_t most_runs = 0;  // 0: no limit
  double most_seconds = 0;      // by the clock; 0: no limit
  unsigned threads = 0;         // 0: all cores
  bool beside = true;           // runs that are not for the proof
  std::string space_place, limits_place;
  std::function<bool()> interrupted = {};
};

// Throws Error(kInfeasible) where nothing fits, or nobody meets the limits, with what binds; Error(kInput) for an empty space.
pipeline::ModelPlan plan_model(const PlanQuestion& question, const pipeline::RunOptions& options,
                               const std::function<void(std::size_t, std::size_t, const std::string&)>& begin = {});

}  // namespace helio::plan
