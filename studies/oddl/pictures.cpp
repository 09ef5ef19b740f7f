// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/chapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "fabric/oddl/oddl_slice_planner.h"
#include "report/figures/slice_figure.h"

namespace helio::studies::oddl_study {
namespace {

using fabric::JobRequest;
using fabric::SliceReport;

// As the file has it: 4 groups of 8 nodes, 16 channels, one plane, 50 ms for a change of a WSS; jobs arrive, grow, lose a node and leave.
class Story {
 public:
  Story() : planner_(kGeometry, {.wss = Time::milliseconds(50)}) {
    chart_.geometry = kGeometry;
    chart_.until = Time::seconds(100);
  }

  void admit(double at, JobRequest request) {
    const SliceReport report = planner_.admit(request);
    if (report.runs) ids_[request.name] = report.job;
    mark(at, "admit", request.name, report);
  }
  void grow(double at, const std::string& name, std::uint32_t more) {
    mark(at, "grow", name, planner_.grow(ids_.at(name), more));
  }
  void fail(double at, NodeId node) {
    const SliceReport report = planner_.fail(node);
    const auto whose = std::ranges::find(ids_, report.job, &std::pair<const std::string, fabric::JobId>::second);
    mark(at, "fail", whose == ids_.end() ? "" : whose->first, report);
    chart_.marks.back().node = node;
  }
  void leave(double at, const std::string& name) {
    planner_.leave(ids_.at(name));
    ids_.erase(name);
    SliceReport report;
    report.done = true;
    mark(at, "leave", name, report);
  }
  const report::SliceChart& chart() const { return chart_; }

 private:
  static constexpr fabric::OddlGeometry kGeometry{.groups = 4, .nodes_per_group = 8, .channels = 16, .planes = 1};

  // A stretch ends, another begins.
  void mark(double seconds, const std::string& verb, const std::string& name, const SliceReport& report) {
    const Time at = Time::seconds(seconds);
    chart_.marks.push_back(
        {at,
         verb,
         name,
         {},
         report.done,
         report.done ? verb + " " + name : fmt::format("{} {}\nrefused: {}", verb, name, report.reason)});
    if (!report.done) return;
    const auto known = std::ranges::find(chart_.jobs, name);
    const auto job = static_cast<std::uint32_t>(known - chart_.jobs.begin());
    for (pipeline::SliceStretch& stretch : chart_.stretches)
      if (stretch.job == job && !stretch.until) stretch.until = at, stretch.failed = verb == "fail";
    if (!report.runs) return;
    if (known == chart_.jobs.end()) chart_.jobs.push_back(name);
    pipeline::SliceStretch stretch{
        .job = job, .algorithm = report.algorithm, .group = report.group, .nodes = report.nodes};
    stretch.slice = planner_.slice(report.job);
    stretch.parts = report.parts;
    stretch.wss_changes = report.wss_changes;
    stretch.at = at;
    chart_.stretches.push_back(std::move(stretch));
    chart_.lit.push_back(at + report.wss_time);
  }

  fabric::SlicePlanner planner_;
  std::map<std::string, fabric::JobId> ids_;  // of those that run
  report::SliceChart chart_;
};

}  // namespace

std::vector<report::Figure> pictures() {
  Story story;
  std::vector<NodeId> two_groups;
  for (std::uint32_t node = 8; node < 24; ++node) two_groups.push_back({node});
  story.admit(0, {.name = "giant", .wanted = 32, .algorithm = "halving-doubling"});
  story.leave(5, "giant");
  story.admit(10, {.name = "language", .nodes = two_groups});
  story.admit(20, {.name = "vision", .wanted = 8, .algorithm = "ring"});
  story.admit(30, {.name = "search", .wanted = 4});
  story.grow(40, "search", 1);
  story.admit(50, {.name = "notebook", .wanted = 2});
  story.fail(60, {24});
  story.admit(70, {.name = "giant", .wanted = 24});
  story.leave(80, "vision");
  story.leave(80, "language");
  story.admit(90, {.name = "giant", .wanted = 24});
  report::Figure figure = report::slice_figure(story.chart());
  figure.name = "oddl-slices";
  figure.title = "Slices: jobs arrive, grow, lose a node and leave";
  return {figure};
}

}  // namespace helio::studies::oddl_study
