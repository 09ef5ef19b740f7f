// SPDX-License-Identifier: Apache-2.0
// The study in pictures.

#include "studies/oddl/chapters.h"
#include "studies/oddl/four_nodes.h"
#include "studies/oddl/presets.h"

namespace helio::studies::oddl_study {
namespace {

using report::Chart;
using report::Series;

Chart preset_chart(Runs& runs) {
  std::vector<std::string> names;
  Series tree{.name = "over fat-tree", .joined = false};
  Series sip{.name = "over SiP-Ring", .joined = false};
  Series tree_published{.name = "published over fat-tree", .published = true};
  Series sip_published{.name = "published over SiP-Ring", .published = true};
  double x = 0;
  for (const Preset& preset : presets()) {
    x += 1;
    const Times found = times(runs, preset);
    names.push_back(preset.name);
    tree.points.emplace_back(x, found.over_tree());
    sip.points.emplace_back(x, found.over_sip());
    tree_published.points.emplace_back(x, kOverTree);
    sip_published.points.emplace_back(x, kOverSip);
  }
  return {.name = "oddl-presets",
          .title = "ODDL over fat-tree and SiP-Ring by set of assumptions; fitted, none literal",
          .x_label = "assumption set",
          .y_label = "times as fast",
          .series = {tree, tree_published, sip, sip_published},
          .cases = names};
}

// Compute dilutes every lead; a baseline that is used well leaves none to dilute.
Chart sensitivity_chart(Runs& runs) {
  const Preset& h6 = preset("H6");
  const double ring = oddl_cost(runs, h6)(kGradient), halving = runs(on_oddl("halving-doubling", h6.step())).seconds;
  Question both_ways = on_sip_ring(0, h6.step());
  both_ways.algorithm = "bidirectional-ring";
  struct Line {
    const char* name;
    double other, oddl;
  };
  Chart chart{.name = "oddl-sensitivity",
              .title = "ODDL's lead by compute time of an iteration: baselines of H6, and the same used well",
              .x_label = "compute (ms)",
              .y_label = "times as fast",
              .log_x = true};
  for (const Line& line : {Line{"fat-tree 2:1 (H6)", tree_cost(runs, h6)(kGradient), ring},
                           {"SiP-Ring one way, dark 25 us per 300 us (H6)", sip_cost(runs, h6)(kGradient), ring},
                           {"fat-tree 1:1, topology-aware ring", runs(on_tree(3e-6)).seconds, halving},
                           {"SiP-Ring both ways, no dark time", runs(both_ways).seconds, halving}}) {
    Series& series = chart.series.emplace_back(Series{.name = line.name});
    for (double compute = 1e-3; compute < 1.1; compute *= 2)
      series.points.emplace_back(1e3 * compute, (compute + line.other) / (compute + line.oddl));
  }
  chart.series.push_back({.name = "published, at the compute time of H6",
                          .points = {{1e3 * h6.compute, kOverTree}, {1e3 * h6.compute, kOverSip}},
                          .published = true});
  return chart;
}

Chart four_nodes_chart(Runs& runs) {
  Chart chart{.name = "oddl-four-nodes",
              .title = "Four nodes: what ODDL takes longer than an ideal switch, by tuning time",
              .x_label = "tuning (us)",
              .y_label = "longer (%)",
              .log_x = true,
              .log_y = true};
  chart.series = {Series{.name = "formula"}, Series{.name = "simulated"}};
  for (double tune = 1e-8; tune < 2e-2; tune *= 10) {
    chart.series[0].points.emplace_back(1e6 * tune, 100 * (four_nodes_ratio(tune) - 1));
    chart.series[1].points.emplace_back(1e6 * tune, 100 * (four_nodes_ratio(runs, tune) - 1));
  }
  return chart;
}

}  // namespace

std::vector<Chart> charts(Runs& runs) { return {preset_chart(runs), sensitivity_chart(runs), four_nodes_chart(runs)}; }

}  // namespace helio::studies::oddl_study
