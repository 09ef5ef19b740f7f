// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/oddl.h"

#include <algorithm>
#include <iterator>

#include "studies/oddl/chapters.h"
#include "studies/oddl/pictures.h"

namespace helio::studies {

Catalogue<Study>::Entry oddl() {
  return {{.name = "oddl",
           .summary = "slices and circuits of light: ODDL's acceptance values, the assumption sets that give 1.6x and "
                      "1.7x, what they hang on, four nodes",
           .reference = "after the abstract of Li et al., JOCN 16(3) 342-357, 2024; papers/oddl.md",
           .parameters = {}},
          [](const pipeline::RunOptions& options) {
            using namespace oddl_study;
            Runs runs(options);
            Findings found;
            const auto tell = [&](Rows rows) { std::ranges::move(rows, std::back_inserter(found.rows)); };
            tell(preset_ratios(runs));
            tell(latency_only(runs));
            tell(preset_times(runs));
            tell(grid_rows());
            tell(sensitivity(runs));
            tell(four_nodes(runs));
            tell(workload_rows());
            tell(collectives(runs));
            tell(slices(runs));
            tell(set_up(runs));
            tell(link_budget());
            tell(tree_shares(runs));
            found.charts = charts(runs);
            found.headlines = headlines();
            found.figures = pictures();
            return found;
          }};
}

}  // namespace helio::studies
