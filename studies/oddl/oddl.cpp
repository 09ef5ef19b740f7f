// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/oddl.h"

#include "studies/oddl/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry oddl() {
  return {{.name = "oddl",
           .summary = "slices and circuits of light: ODDL's acceptance values, the assumption sets that give 1.6x and "
                      "1.7x, what they hang on, four nodes",
           .reference = "after the abstract of Li et al., JOCN 16(3) 342-357, 2024; papers/oddl.md",
           .parameters = {}},
          [](const StudyOptions& options) {
            using namespace oddl_study;
            Runs runs(options);
            return Findings{
                .rows = joined<report::Row>({preset_ratios(runs), latency_only(runs), preset_times(runs), grid_rows(),
                                             sensitivity(runs), jobs_of_a_log(run_logged_jobs(options.job_log)),
                                             four_nodes(runs), workload_rows(), collectives(runs), slices(runs),
                                             set_up(runs), link_budget(), tree_shares(runs)}),
                .charts = charts(runs),
                .headlines = headlines(),
                .figures = pictures()};
          }};
}

}  // namespace helio::studies
