// SPDX-License-Identifier: Apache-2.0
// Four nodes against an ideal switch (A8, papers/oddl.md 6): the abstract says "comparable", without a number. Batch 32 at the
// V100 rate, halving/doubling, 2 us a step, 5 m of fibre.
#pragma once

#include "studies/oddl/runs.h"

namespace helio::studies::oddl_study {

// An iteration on ODDL over one on the ideal switch, by the formula of 2.5.
double four_nodes_ratio(double tune);
// The same by runs of the product. Halving ends and doubling begins with the same circuits. Where they stay (`hold`) there is one
// dark time fewer.
double four_nodes_ratio(Runs& runs, double tune, bool hold = true);

}  // namespace helio::studies::oddl_study
