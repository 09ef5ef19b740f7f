// SPDX-License-Identifier: Apache-2.0
#include "report/figures/slice_figure.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv_field.h"
#include "base/units.h"
#include "pipeline/counted.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;
using pipeline::SliceStretch;

// Past the last thing that happens by a tenth, unless something says when all ends.
Time end_of(const SliceChart& chart) {
  Time last = chart.until.value_or(Time());
  for (const SliceMark& mark : chart.marks) last = std::max(last, mark.at);
  for (const Time lit : chart.lit) last = std::max(last, lit);
  if (chart.runs) last = std::max(last, chart.runs->end);
  if (chart.until) return last;
  return Time::seconds(std::max(1e-9, 1.1 * last.to_seconds()));
}

// How it went on a stretch, where bytes were moved: the n-th of its job.
const pipeline::StretchRuns* runs_of(const SliceChart& chart, std::size_t stretch) {
  if (!chart.runs) return nullptr;
  std::size_t number = 0;
  for (std::size_t s = 0; s < stretch; ++s) number += chart.stretches[s].job == chart.stretches[stretch].job;
  const auto& of_job = chart.runs->jobs[chart.stretches[stretch].job].stretches;
  return number < of_job.size() ? &of_job[number] : nullptr;
}

std::string in_words(const SliceStretch& stretch, Time lit, const pipeline::StretchRuns* runs) {
  std::string words = fmt::format(
      "{}, {} by {}, {}\nfrom {}, light from {}{}", pipeline::counted(stretch.nodes.size(), "node"),
      schedule::name_of(stretch.kind), stretch.algorithm, pipeline::counted(stretch.slice.size(), "light"),
      format(stretch.at), format(lit),
      stretch.until ? fmt::format(", until {}{}", format(*stretch.until), stretch.failed ? " (a node fails)" : "")
                    : "");
  if (stretch.parts > 1) words += fmt::format("\nin {} parts: the WSS change within each run", stretch.parts);
  if (runs)
    words += fmt::format("\n{} of {}{}", pipeline::counted(runs->runs, "run"), format(stretch.bytes),
                         runs->abandoned ? ", one more abandoned" : "");
  return words;
}

}  // namespace

Figure slice_figure(const SliceChart& chart) {
  const fabric::OddlGeometry& g = chart.geometry;
  std::vector<std::string> jobs = chart.jobs;
  const auto row_of = [&](const std::string& name) -> std::int64_t {
    if (name.empty()) return -1;
    const auto at = std::ranges::find(jobs, name);
    if (at != jobs.end()) return at - jobs.begin();
    jobs.push_back(name);
    return static_cast<std::int64_t>(jobs.size()) - 1;
  };
  const Time end = end_of(chart);

  // What happened
  Json events = Json::array();
  std::size_t refused = 0;
  for (const SliceMark& mark : chart.marks) {
    events.push_back({{"at", mark.at.to_seconds()},
                      {"verb", mark.verb},
                      {"job", row_of(mark.job)},
                      {"node", mark.node ? Json(mark.node->value) : Json(nullptr)},
                      {"done", mark.done},
                      {"words", mark.words}});
    refused += !mark.done;
  }

  // Who held what. Light that a run in parts sets in turns is shown as it is set first
  Json stretches = Json::array();
  std::string csv = "job,from (s),light from (s),until (s),nodes,algorithm,lights,runs\n";
  for (std::size_t s = 0; s < chart.stretches.size(); ++s) {
    const SliceStretch& stretch = chart.stretches[s];
    const pipeline::StretchRuns* runs = runs_of(chart, s);
    const Time lit = runs ? runs->lit : chart.lit[s], until = stretch.until.value_or(end);
    std::vector<std::uint32_t> nodes, light;
    for (const NodeId node : stretch.nodes) nodes.push_back(node.value);
    for (const fabric::SliceEntry& entry : stretch.slice)
      if (entry.part == 0)
        light.insert(light.end(), {entry.source_group, entry.plane, entry.channel, entry.destination_group});
    stretches.push_back({{"job", stretch.job},
                         {"at", stretch.at.to_seconds()},
                         {"lit", lit.to_seconds()},
                         {"end", until.to_seconds()},
                         {"algorithm", stretch.algorithm},
                         {"nodes", nodes},
                         {"light", light},
                         {"words", in_words(stretch, lit, runs)}});
    csv += fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(chart.jobs[stretch.job]), stretch.at.to_seconds(),
                       lit.to_seconds(), until.to_seconds(), nodes.size(), stretch.algorithm, stretch.slice.size(),
                       runs ? fmt::format("{}", runs->runs) : "");
  }

  Figure figure{.name = "slices", .kind = "slices", .title = "Who holds which slice"};
  figure.data = {
      {"geometry",
       {{"groups", g.groups}, {"nodes_per_group", g.nodes_per_group}, {"channels", g.channels}, {"planes", g.planes}}},
      {"end", end.to_seconds()},
      {"jobs", jobs},
      {"events", events},
      {"stretches", stretches}};
  figure.words =
      fmt::format("{} on {} of {} with {}{}: {} in {}, {} of them refused.", pipeline::counted(jobs.size(), "job"),
                  pipeline::counted(g.groups, "group"), pipeline::counted(g.nodes_per_group, "node"),
                  pipeline::counted(g.channels, "channel"), g.planes > 1 ? fmt::format(" on {} planes", g.planes) : "",
                  pipeline::counted(chart.marks.size(), "event"), format(end), refused);
  for (std::size_t j = 0; j < chart.jobs.size(); ++j) {
    std::size_t count = 0, most = 0;
    for (const SliceStretch& stretch : chart.stretches)
      if (stretch.job == j) ++count, most = std::max(most, stretch.nodes.size());
    figure.words += fmt::format(" {}: {}, at most {}.", chart.jobs[j], pipeline::counted(count, "slice"),
                                pipeline::counted(most, "node"));
  }
  figure.csv = std::move(csv);
  return figure;
}

}  // namespace helio::report
