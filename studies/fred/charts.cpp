// SPDX-License-Identifier: Apache-2.0
// The study in pictures.
#include <fmt/format.h>

#include "studies/fred/chapters.h"
#include "studies/fred/strategy_flows.h"
#include "studies/fred/strategy_sweep.h"

namespace helio::studies::fred_study {
namespace {

using placement::TrainingPhase;
using report::Chart;
using report::Series;

Chart microbenchmark_chart(Runs& runs) {
  constexpr placement::StrategyPhase kPhases[] = {{20, 1, 1, TrainingPhase::kMp},
                                                  {2, 5, 2, TrainingPhase::kMp},
                                                  {2, 5, 2, TrainingPhase::kDp},
                                                  {2, 5, 2, TrainingPhase::kPp}};
  Chart chart{.name = "fred-microbenchmarks",
              .title = "1 GB on mesh and Fred-A to D, simulated on links",
              .x_label = "phase",
              .y_label = "time (ms)",
              .log_y = true,
              .cases = {"all-reduce of 20", "MP2 of 2-5-2", "DP5 of 2-5-2", "PP2 of 2-5-2"}};
  for (int w = 0; w < 5; ++w) {
    const auto wafer = static_cast<Wafer>(w);
    Series& series = chart.series.emplace_back(Series{.name = name_of(wafer), .joined = false});
    for (int p = 0; p < 4; ++p) series.points.emplace_back(p + 1, 1e3 * runs(as_published(kPhases[p], wafer)).seconds);
  }
  return chart;
}

// Published speed-ups stand where their curve reaches them: that is all that kappa is.
Chart kappa_chart() {
  Chart chart{.name = "fred-speed-up-over-compute",
              .title = "Fred-D over mesh, by how much faster compute is than 1 PFLOPS and our sequences say",
              .x_label = "compute speed-up (kappa)",
              .y_label = "times as fast as the mesh",
              .log_x = true};
  for (const Workload& workload : kWorkloads) {
    Series& series = chart.series.emplace_back(Series{.name = workload.name});
    for (double kappa = 1; kappa < 2000; kappa *= 2)
      series.points.emplace_back(kappa, speed_up(workload, Wafer::kD, {.kappa = kappa}));
  }
  Series& published =
      chart.series.emplace_back(Series{.name = "published, at the kappa that it needs", .published = true});
  for (const Workload& workload : kWorkloads)
    published.points.emplace_back(fitted_kappa(workload, workload.published_d, {}), workload.published_d);
  return chart;
}

Chart bisection_chart() {
  Chart chart{.name = "fred-variants",
              .title = "Speed-up over the mesh by variant, compute 10 times as fast",
              .x_label = "variant",
              .y_label = "times as fast as the mesh",
              .cases = {"Fred-A", "Fred-B", "Fred-C", "Fred-D"}};
  for (const Workload& workload : kWorkloads) {
    Series& ours = chart.series.emplace_back(Series{.name = workload.name});
    for (std::size_t i = 0; i < kTrees.size(); ++i)
      ours.points.emplace_back(static_cast<double>(i + 1), speed_up(workload, kTrees[i], {.kappa = 10}));
  }
  for (const Workload& workload : kWorkloads)
    chart.series.push_back({.name = fmt::format("{}, published", workload.name),
                            .points = {{3, workload.published_c}, {4, workload.published_d}},
                            .published = true});
  return chart;
}

Chart sweep_chart() {
  const std::vector<SweepPoint> points = sweep(by_rule(MeshRule::kOneLink));
  Chart chart{.name = "fred-strategies",
              .title = "Transformer-17B by strategy: exposed communication per sample",
              .x_label = "strategy, MP-DP-PP",
              .y_label = "ms per sample",
              .log_y = true};
  for (const SweepPoint& point : points) chart.cases.push_back(point.name());
  for (const MeshRule rule : {MeshRule::kOneLink, MeshRule::kXyRings, MeshRule::kSnake, MeshRule::kBothWays}) {
    Series& series = chart.series.emplace_back(Series{.name = fmt::format("mesh, {}", name_of(rule)), .joined = false});
    const std::vector<SweepPoint> by = sweep(by_rule(rule));
    for (std::size_t i = 0; i < by.size(); ++i)
      series.points.emplace_back(static_cast<double>(i + 1), 1e3 * by[i].mesh);
  }
  Series& fred = chart.series.emplace_back(Series{.name = "Fred-D", .joined = false});
  for (std::size_t i = 0; i < points.size(); ++i)
    fred.points.emplace_back(static_cast<double>(i + 1), 1e3 * points[i].fred_d);
  return chart;
}

Chart flexibility_chart() {
  Chart chart{.name = "fred-flexibility",
              .title = "Strategy-phases that route at once on one Fred_m(P)",
              .x_label = "ports P",
              .y_label = "share that routes (%)"};
  for (const std::uint32_t m : {2u, 3u}) {
    Series& series = chart.series.emplace_back(Series{.name = fmt::format("m = {}", m)});
    for (const std::uint32_t ports : {4u, 6u, 8u, 10u, 12u, 14u, 16u, 18u, 20u}) {
      const Flexibility found = studies::flexibility(fabric::FredSwitch(ports, m));
      series.points.emplace_back(ports, 100.0 * found.routed / found.phases);
    }
  }
  return chart;
}

}  // namespace

std::vector<Chart> charts(Runs& runs) {
  return {microbenchmark_chart(runs), kappa_chart(), bisection_chart(), sweep_chart(), flexibility_chart()};
}

}  // namespace helio::studies::fred_study
