// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include <vector>

#include "studies/catalogue.h"
#include "studies/fred/iteration_model.h"
#include "studies/fred/runs.h"

namespace helio::studies::fred_study {

// One collective
Rows microbenchmarks(Runs& runs);  // 6.1: the text of paper 8.1, closed forms, and runs
Rows traffic(Runs& runs);          // endpoint over in-switch bytes

// The wafer
Rows io_hotspot(Runs& runs);  // 2.7
Rows silicon();               // area identity and census, 2.1 and 2.6

// Whole iterations
Rows calibrated();                                               // 5.2: Fred-C gives Fred-D
Rows first_principles();                                         // 5.3: terms, speed-ups, what compute would have to be
Rows simulated_iterations(const pipeline::RunOptions& options);  // workloads as jobs of the product
Rows sensitivity();                                              // 5.5
Rows strategies(Runs& runs);                                     // 5.4

// What routes
Rows flexibility();  // 2.3

// What the paper does not have
Rows beyond(Runs& runs);  // compression at the ports, trees of wafers, the fewest middle switches

// The list of 5.5 for one workload at these knobs, in one line: it stands beside every speed-up.
std::string what_moves_it(const Workload& workload, const Knobs& knobs);

// In pictures
std::vector<report::Chart> charts(Runs& runs);
// FRED's switch: Fred_3(8) set for each phase of the strategy 2-2-2.
std::vector<report::Figure> pictures();

// The rows that the design is known for, in words, and why they differ where they do.
std::vector<report::Headline> headlines();

}  // namespace helio::studies::fred_study
