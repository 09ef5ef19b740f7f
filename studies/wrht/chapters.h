// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include <vector>

#include "report/row.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

using Rows = std::vector<report::Row>;

// Held against published numbers
Rows against_optical(Runs& runs);     // v2, v1 and the conference paper: Ring, H-Ring, BT
Rows against_electrical(Runs& runs);  // the same papers: E-Ring, RD
Rows comparison(Runs& runs);          // Ring against RD, light against copper
Rows optree(Runs& runs);              // all-gather: Wrht, Ring, NE

// Held against what papers/wrht.md derives
Rows step_tables(Runs& runs);      // 6.1
Rows schedule_checks(Runs& runs);  // 6.3
Rows times(Runs& runs);            // 6.4
Rows break_even(Runs& runs);       // 2.5
Rows retune_rules(Runs& runs);     // 2.5: `changed` beside `every-step`
Rows striping(Runs& runs);         // 7.1

// For plots: over N, wavelengths, group and model, held against closed forms
Rows sweeps(Runs& runs);

}  // namespace helio::studies::wrht_study
