// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/wrht.h"

#include <algorithm>
#include <iterator>

#include "studies/wrht/chapters.h"
#include "studies/wrht/pictures.h"

namespace helio::studies {

Catalogue<Study>::Entry wrht() {
  return {{.name = "wrht",
           .summary = "all-reduce on a WDM ring: WRHT's and OpTree's published savings, step tables, times, sweeps",
           .reference =
               "Dai et al., arXiv 2207.10982 v1 and v2; OpTree, arXiv 2211.15119 and IEEE OJ-COMS 2024; papers/wrht.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace wrht_study;
            Runs runs(options);
            Findings found;
            for (const auto chapter : {against_optical, against_electrical, comparison, optree, step_tables,
                                       schedule_checks, times, break_even, retune_rules, striping, planned, sweeps})
              std::ranges::move(chapter(runs), std::back_inserter(found.rows));
            found.charts = time_charts(runs);
            found.charts.push_back(savings_chart(found.rows));
            Findings light = reach();
            std::ranges::move(light.rows, std::back_inserter(found.rows));
            std::ranges::move(light.charts, std::back_inserter(found.charts));
            found.headlines = headlines();
            found.figures = pictures();
            return found;
          }};
}

}  // namespace helio::studies
