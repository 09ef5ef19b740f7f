// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/fred.h"

#include "studies/fred/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry fred() {
  return {{.name = "fred",
           .summary = "wafer with switches that add and copy: FRED's microbenchmarks, I/O, area, speed-ups, "
                      "strategies, flexibility",
           .reference = "FRED, arXiv 2406.19580 v1 and arXiv 2406.19580 v2 (ISCA 2025); papers/fred.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace fred_study;
            fred_study::Runs runs(options);
            return Findings{
                .rows = joined<report::Row>({microbenchmarks(runs), traffic(runs), io_hotspot(runs), silicon(),
                                             calibrated(), first_principles(), simulated_iterations(options),
                                             sensitivity(), strategies(runs), flexibility(), beyond(runs)}),
                .charts = charts(runs),
                .headlines = headlines(),
                .figures = pictures()};
          }};
}

}  // namespace helio::studies
