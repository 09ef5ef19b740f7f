// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/wrht.h"

#include "studies/wrht/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry wrht() {
  return {{.name = "wrht",
           .summary = "all-reduce on a WDM ring: WRHT's and OpTree's published savings, step tables, times, sweeps",
           .reference =
               "Dai et al., arXiv 2207.10982 v1, arXiv 2207.10982 v2 and their conference short version; OpTree, arXiv "
               "2211.15119 and IEEE OJ-COMS 2024; Performance Comparison of Distributed DNN Training; papers/wrht.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace wrht_study;
            wrht_study::Runs runs(options);
            const Rows rows =
                joined<report::Row>({against_optical(runs), against_electrical(runs), comparison(runs), optree(runs),
                                     step_tables(runs), schedule_checks(runs), times(runs), break_even(runs),
                                     retune_rules(runs), striping(runs), endpoints(runs), planned(runs), sweeps(runs)});
            const Findings light = reach();
            return Findings{.rows = joined<report::Row>({rows, light.rows}),
                            .charts = joined<report::Chart>({time_charts(runs), {savings_chart(rows)}, light.charts}),
                            .headlines = headlines(),
                            .figures = pictures()};
          }};
}

}  // namespace helio::studies
