// SPDX-License-Identifier: Apache-2.0
// The study in pictures and in words.
#include <fmt/format.h>

#include "studies/joined_wafers/chapters.h"

namespace helio::studies::one_system_study {
namespace {

using report::Chart;
using report::Series;

Chart over_injection(Runs& runs, const Model& model) {
  Chart chart{.name = fmt::format("one-system-{}", model.name),
              .title = fmt::format("{} on 64 wafers x 20 NPUs, by what a wafer can hand to the others", model.title),
              .x_label = "injection of a wafer (Tb/s)",
              .y_label = "iteration (s)",
              .log_x = true,
              .log_y = true};
  for (const System& system : systems()) {
    Series& series = chart.series.emplace_back(Series{.name = name_of(system)});
    for (const double rate : kRates) series.points.emplace_back(rate / 1e12, runs.seconds({system, &model, rate}));
  }
  Series& bound = chart.series.emplace_back(Series{.name = "lower bound, networks that add nothing"});
  for (const double rate : kRates)
    bound.points.emplace_back(rate / 1e12, runs.bound({{Inside::kFredD, Between::kFatTree}, &model, rate}).seconds());
  return chart;
}

}  // namespace

std::vector<Chart> charts(Runs& runs) { return {over_injection(runs, kGpt3), over_injection(runs, kTransformer1T)}; }

}  // namespace helio::studies::one_system_study
