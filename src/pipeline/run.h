// SPDX-License-Identifier: Apache-2.0
// The corridor: walks an Experiment through the rooms, one collective after the other.
//
//     fabric::make ─▶ schedule::build ─▶ verify ─▶ lower (remedies) ─▶ simulate ─▶ bound, bottleneck, traffic ─▶ Result
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "pipeline/experiment.h"
#include "pipeline/result.h"

namespace helio::pipeline {

struct RunOptions {
  bool trace = false;  // fill Result::trace
  std::size_t trace_limit = 200'000;
  bool jump = true;  // as simulate::Options
  // Told now and then what is going on.
  std::function<void(std::string_view stage)> progress;
};

// Throws Error(kInput) for values that are wrong, Error(kInfeasible) for what cannot be done. A schedule that fails its
// proof is our mistake: std::logic_error.
Result run(const Experiment& experiment, const Collective& collective, const RunOptions& options = {});
std::vector<Result> run(const Experiment& experiment, const RunOptions& options = {});

}  // namespace helio::pipeline
