// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed.
#pragma once

#include <vector>

#include "studies/catalogue.h"
#include "studies/oddl/logged_jobs.h"
#include "studies/oddl/runs.h"

namespace helio::studies::oddl_study {

// The headline (papers/oddl.md 6)
Rows preset_ratios(Runs& runs);              // every set beside the published 1.6 and 1.7
Rows latency_only(Runs& runs);               // H2
Rows preset_times(Runs& runs);               // the other sets beside what the spec derives, and what was solved for
Rows grid_rows();                            // how many sets fit
Rows sensitivity(Runs& runs);                // baselines that lose nothing
Rows jobs_of_a_log(const LoggedJobs& jobs);  // the same ratios over all jobs of a cluster
Rows four_nodes(Runs& runs);

// The model (papers/oddl.md 7)
Rows workload_rows();
Rows collectives(Runs& runs);
Rows slices(Runs& runs);
Rows set_up(Runs& runs);
Rows link_budget();
Rows tree_shares(Runs& runs);  // ECMP, 3.2

// In pictures
std::vector<report::Chart> charts(Runs& runs);
// The slow layer: the story of examples/oddl_slices.toml, told to the slice planner, which moves nothing.
std::vector<report::Figure> pictures();

// The rows that the design is known for, in words, and why they differ where they do.
std::vector<report::Headline> headlines();

}  // namespace helio::studies::oddl_study
