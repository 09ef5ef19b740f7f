// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/optinc.h"

#include <algorithm>
#include <iterator>

#include "studies/optinc/chapters.h"
#include "studies/optinc/pictures.h"
#include "studies/optinc/step_time.h"
#include "studies/optinc/training.h"

namespace helio::studies {

Catalogue<Study>::Entry optinc() {
  return {
      {.name = "optinc",
       .summary =
           "averaging in the light's way: OptINC's traffic, area and saved time, with quantisation told apart from "
           "optics; exact networks, their noise, cascades; models trained through it, and how long a step waits",
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
        const std::vector<TrainingRun> trainings = training_runs(training_files());
        tell(training_rows(trainings));
        const std::vector<StepTime> steps = step_times(options);
        tell(step_time_rows(steps));
        found.charts = charts(runs);
        found.charts.push_back(step_time_chart(steps));
        std::ranges::move(training_charts(trainings), std::back_inserter(found.charts));
        found.headlines = headlines();
        found.figures = pictures();
        return found;
      }};
}

}  // namespace helio::studies
