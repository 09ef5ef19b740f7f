// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/optinc.h"

#include <algorithm>
#include <iterator>

#include "studies/optinc/chapters.h"

namespace helio::studies {

Catalogue<Study>::Entry optinc() {
  return {
      {.name = "optinc",
       .summary =
           "averaging in the light's way: OptINC's traffic, area and saved time, with quantisation told apart from "
           "optics; exact networks, their noise, cascades",
       .reference = "after the abstract of Fei et al., arXiv 2603.28290, 2026, and secondary sources; papers/optinc.md",
       .parameters = {}},
      [](const pipeline::RunOptions& options) {
        using namespace optinc_study;
        Runs runs(options);
        Findings found;
        const auto tell = [&](Rows rows) { std::ranges::move(rows, std::back_inserter(found.rows)); };
        tell(traffic(runs));
        tell(area());
        tell(saving_rows(runs));
        tell(ring_widths(runs));
        tell(serialisation(runs));
        tell(datasets());
        tell(exactness());
        tell(noise_rows());
        tell(phases());
        tell(cascades());
        tell(flight(runs));
        tell(trained_rows());
        found.charts = charts(runs);
        return found;
      }};
}

}  // namespace helio::studies
