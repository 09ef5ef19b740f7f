// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/optinc.h"

#include "studies/optinc/chapters.h"
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
        const std::vector<TrainingRun> trainings = training_runs(training_files());
        const std::vector<StepTime> steps = step_times(options);
        return Findings{
            .rows =
                joined<report::Row>({traffic(runs), area(), saving_rows(runs), ring_widths(runs), serialisation(runs),
                                     datasets(), exactness(), noise_rows(), phases(), cascades(), flight(runs),
                                     trained_rows(), training_rows(trainings), step_time_rows(steps)}),
            .charts = joined<report::Chart>({charts(runs), {step_time_chart(steps)}, training_charts(trainings)}),
            .headlines = headlines(),
            .figures = pictures()};
      }};
}

}  // namespace helio::studies
