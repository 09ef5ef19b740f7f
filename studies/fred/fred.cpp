// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/fred.h"

#include <algorithm>
#include <iterator>

#include "studies/fred/chapters.h"
#include "studies/fred/pictures.h"

namespace helio::studies {

Catalogue<Study>::Entry fred() {
  return {{.name = "fred",
           .summary = "wafer with switches that add and copy: FRED's microbenchmarks, I/O, area, speed-ups, "
                      "strategies, flexibility",
           .reference = "FRED, arXiv 2406.19580 v1 and v2 (ISCA 2025); papers/fred.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace fred_study;
            Runs runs(options);
            Findings found;
            const auto tell = [&](Rows rows) { std::ranges::move(rows, std::back_inserter(found.rows)); };
            tell(microbenchmarks(runs));
            tell(traffic(runs));
            tell(io_hotspot(runs));
            tell(silicon());
            tell(calibrated());
            tell(first_principles());
            tell(simulated_iterations(options));
            tell(sensitivity());
            tell(strategies(runs));
            tell(flexibility());
            tell(beyond(runs));
            found.charts = charts(runs);
            found.headlines = headlines();
            found.figures = pictures();
            return found;
          }};
}

}  // namespace helio::studies
