// SPDX-License-Identifier: Apache-2.0
// At which injection, overhead, batch, … the answer of a plan changes: its winner against the best of each other family, each spread as it
// was, both asked again by the engine.
#pragma once

#include <string>
#include <vector>

#include "plan/plan_model.h"

namespace helio::plan {

inline constexpr std::size_t kMostRivals = 3;  // the fastest of other families

// Fills in `switching` and `steady` of the plan. `names`: of dials.h; empty: all.
void seek_switching(const PlanQuestion& question, const std::vector<std::string>& names,
                    const pipeline::RunOptions& options, pipeline::ModelPlan& plan);

}  // namespace helio::plan
