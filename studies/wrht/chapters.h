// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include <vector>

#include "report/row.h"
#include "studies/catalogue.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

// Ends the names of rows that stand beside a published saving but are not charged as it was.
inline constexpr const char* kChangedRule = ", changed rule";

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
Rows endpoints(Runs& runs);        // ours: nodes that add for free, and those that take time for it
Rows planned(Runs& runs);          // 6.6: wdm-planned against WRHT as published, and against WRHT at its best

// The largest N that closes passively, by loss per hop: WRHT over m, and what wdm-planned chooses
Findings reach();

// Over N, wavelengths and group, held against closed forms
Rows sweeps(Runs& runs);

// In pictures
std::vector<report::Chart> time_charts(Runs& runs);  // over N, wavelengths, group and model, with wdm-planned
report::Chart savings_chart(const Rows& rows);       // published percentages beside ours
// The light of the example of papers/wrht.md (15 nodes) and of the size that is published (1024 nodes).
std::vector<report::Figure> pictures();

// The rows that the design is known for, in words, and why they differ where they do.
std::vector<report::Headline> headlines();

}  // namespace helio::studies::wrht_study
