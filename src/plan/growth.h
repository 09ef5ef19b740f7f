// SPDX-License-Identifier: Apache-2.0
// What a collective that was given up would have taken, by what the same one takes on fewer nodes.
//
//     nodes    64      128      256                          4096
//     takes  12 ms ─▶ 95 ms ─▶ 0.8 s   grows as n^3.1 ─▶   about 4,300 s; 2 s are enough for 340 nodes
#pragma once

#include "base/budget.h"
#include "pipeline/run.h"

namespace helio::plan {

// Tells `spent` what would be needed and how many nodes would fit its limits. Takes about half a second. Nothing is told where the
// fabric is not of so many nodes (a file, dimensions, groups of ranks) or too few of them are already too many.
void tell_growth(BudgetSpent& spent, const pipeline::Experiment& experiment, const pipeline::Collective& collective,
                 const pipeline::RunOptions& options);

}  // namespace helio::plan
