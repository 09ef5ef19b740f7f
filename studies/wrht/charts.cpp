// SPDX-License-Identifier: Apache-2.0
// The sweeps in pictures: one parameter moves, the rest is the literal machine (40 Gb/s a wavelength) at 1024 nodes with AlexNet's
// gradient. WRHT and the binary tree change their lightpaths in every step, so both retune rules give them the same time; Ring and
// wdm-planned are drawn under both.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>

#include "studies/wrht/chapters.h"

namespace helio::studies::wrht_study {
namespace {

using report::Chart;

// One x: the value on the axis, and the machine and payload there.
struct At {
  double x;
  Question question;
};

struct Curve {
  const char* name;
  const char* algorithm;
  bool every_step;
  bool lights_one;  // wavelength, however many there are
};
constexpr Curve kCurves[] = {
    {"WRHT, either rule", "wrht", true, false},
    {"binary tree, either rule", "binary-tree", true, true},
    {"Ring, retuned every step", "ring", true, true},
    {"Ring, retuned when changed", "ring", false, true},
    {"wdm-planned, retuned every step", "wdm-planned", true, false},
    {"wdm-planned, retuned when changed", "wdm-planned", false, false},
};

constexpr const char *kUnfitted = "nothing fitted", *kElsewhere = "fitted to other numbers",
                     *kHere = "fitted to this number", *kChangedSeries = "retuned when changed";

void add_series(Chart& chart, Runs& runs, const char* name, const std::vector<At>& sweep) {
  report::Series& series = chart.series.emplace_back(report::Series{.name = name});
  for (const At& at : sweep) series.points.emplace_back(at.x, 1e3 * runs(at.question).seconds);
}

Chart times_over(Runs& runs, const char* name, const char* parameter, const char* x_label,
                 const std::vector<At>& sweep) {
  Chart chart{.name = fmt::format("wrht-time-over-{}", name),
              .title = fmt::format("Time of an all-reduce over {}", parameter),
              .x_label = x_label,
              .y_label = "time (ms)",
              .log_x = true,
              .log_y = true};
  for (const Curve& curve : kCurves) {
    std::vector<At> asked = sweep;
    for (At& at : asked) {
      at.question.algorithm = curve.algorithm;
      at.question.every_step = curve.every_step;
      if (at.question.algorithm != "wrht") at.question.group = 0;  // no parameter of theirs
      if (curve.lights_one && at.question.wavelengths == kWavelengths)
        at.question.wavelengths = 1;  // dark ones change nothing
    }
    add_series(chart, runs, curve.name, asked);
  }
  return chart;
}

}  // namespace

std::vector<Chart> time_charts(Runs& runs) {
  std::vector<At> nodes, wavelengths, groups, models;
  for (const std::uint64_t n : {128, 256, 512, 1024, 2048, 3072, 4096})
    nodes.push_back({static_cast<double>(n), {.nodes = n}});
  for (const int w : {4, 16, 64, 256}) wavelengths.push_back({static_cast<double>(w), {.wavelengths = w}});
  for (const int m : {3, 5, 9, 17, 33, 65, 129}) groups.push_back({static_cast<double>(m), {.group = m}});
  for (const Model& model : {kGooglenet, kResnet, kAlexnet, kVgg, kBeit})
    models.push_back({model.bytes / 1e6, {.bytes = model.bytes}});

  std::vector<Chart> charts = {
      times_over(runs, "nodes", "N: 249.2 MB, 64 wavelengths of 40 Gb/s", "nodes N", nodes),
      times_over(runs, "wavelengths", "w: 1024 nodes, 249.2 MB, 40 Gb/s each", "wavelengths w each way", wavelengths),
      times_over(runs, "group", "m: 1024 nodes, 249.2 MB, 64 wavelengths", "members m of a WRHT group", groups),
      times_over(runs, "model", "model size: 1024 nodes, 64 wavelengths of 40 Gb/s", "gradient (MB)", models)};

  // Small groups leave wavelengths to stripe over
  for (At& at : groups) {
    at.question.stripe = kWavelengths / (at.question.group / 2);
    at.question.shortcut = false;
  }
  add_series(charts[2], runs, "WRHT striped, no all-to-all", groups);
  return charts;
}

// Each published percentage at its own value on both axes, and above or below it what we make of it, by what was fitted; readings under
// the other accounting, where only new lightpaths are retuned, apart from those.
Chart savings_chart(const Rows& rows) {
  std::map<std::string, report::Series> ours;
  std::set<double> published;
  for (const report::Row& row : rows) {
    if (!row.published || row.quantity.find("saved against") == std::string::npos) continue;
    published.insert(*row.published);
    const char* series = row.quantity.ends_with(kChangedRule) ? kChangedSeries
                         : row.unfitted()                     ? kUnfitted
                         : row.predicted()                    ? kElsewhere
                                                              : kHere;
    ours[series].points.emplace_back(*row.published, row.ours);
  }
  Chart chart{.name = "wrht-savings",
              .title = "Time saved as published, and by our runs under each reading",
              .x_label = "published (%)",
              .y_label = "saved (%)"};
  for (const char* name : {kUnfitted, kElsewhere, kHere, kChangedSeries})
    if (const auto found = ours.find(name); found != ours.end()) {
      report::Series& series = chart.series.emplace_back(std::move(found->second));
      series.name = name;
      series.joined = false;
    }
  report::Series& said = chart.series.emplace_back(report::Series{.name = "published", .published = true});
  for (const double percent : published) said.points.emplace_back(percent, percent);
  return chart;
}

}  // namespace helio::studies::wrht_study
