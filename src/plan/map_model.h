// SPDX-License-Identifier: Apache-2.0
// Plans of one model over numbers of NPUs and batches: who wins where, and of each batch what is not beaten in time, watts, cost and NPUs at
// once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plan/plan_model.h"

namespace helio::plan {

// `cells`: row by row, a row for each number of NPUs. A cell that nobody can do says why; throws as plan_model where no cell can be done,
// and for wrong words. `begin` is told which cell is at hand.
pipeline::ModelMap map_model(const std::vector<PlanQuestion>& cells, const std::vector<double>& batches,
                             const pipeline::RunOptions& options,
                             const std::function<void(std::size_t, const std::string&)>& begin = {});

}  // namespace helio::plan
