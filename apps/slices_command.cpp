// SPDX-License-Identifier: Apache-2.0
#include "slices_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "pipeline/version.h"
#include "slice_runs_text.h"
#include "slice_story.h"

namespace helio::apps {
namespace {

using fabric::SliceReport;

nlohmann::ordered_json to_json(const SliceEvent& event, const Outcome& outcome) {
  const SliceReport& report = outcome.report;
  nlohmann::ordered_json json = {{"event", name_of(event.verb)}, {"at_s", event.at.to_seconds()}};
  json["job"] = outcome.job.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(outcome.job);
  if (event.verb == Verb::kFail) json["node"] = event.node.value;
  json["done"] = report.done;
  json["runs"] = report.runs;
  json["reason"] = report.reason;
  json["attempts"] = report.attempts;
  json["free_nodes"] = outcome.free_nodes;
  json["fragmented"] = report.fragmented;
  json["isolation_changed"] = nlohmann::ordered_json::array();
  for (const auto& [job, isolation] : outcome.isolation_changed)
    json["isolation_changed"].push_back({{"job", job}, {"isolation", fabric::name_of(isolation)}});
  if (!report.runs || !report.done) return json;
  json["algorithm"] = report.algorithm;
  json["nodes"] = nlohmann::ordered_json::array();
  for (const NodeId node : report.nodes) json["nodes"].push_back(node.value);
  json["channels"] = report.channels;
  json["planes"] = report.planes;
  json["parts"] = report.parts;
  json["isolation"] = fabric::name_of(report.isolation);
  json["wss_changes"] = report.wss_changes;
  json["wss_time_s"] = report.wss_time.to_seconds();
  json["ready_s"] = (event.at + report.wss_time).to_seconds();
  json["wss_changes_per_run"] = report.wss_changes_per_run;
  json["wss_time_per_run_s"] = report.wss_time_per_run.to_seconds();
  return json;
}

// "0-31,64": runs of neighbours as one.
std::string in_runs(const std::vector<NodeId>& nodes) {
  std::vector<std::string> runs;
  for (std::size_t begin = 0, end; begin < nodes.size(); begin = end) {
    for (end = begin + 1; end < nodes.size() && nodes[end].value == nodes[end - 1].value + 1;) ++end;
    runs.push_back(end == begin + 1 ? fmt::format("{}", nodes[begin].value)
                                    : fmt::format("{}-{}", nodes[begin].value, nodes[end - 1].value));
  }
  return fmt::format("{}", fmt::join(runs, ","));
}

std::string to_text(const SliceEvent& event, const Outcome& outcome) {
  const SliceReport& report = outcome.report;
  const std::string whom = event.verb == Verb::kFail ? fmt::format("node {}", event.node.value) : outcome.job;
  std::string text = fmt::format("{:>10}  {} {}: {}\n", format(event.at), name_of(event.verb), whom,
                                 report.done ? "done" : "refused: " + report.reason);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("              {:<11} {}\n", name, value);
  };
  for (const std::string& attempt : report.attempts) line("tried", attempt);
  if (report.runs && report.done) {
    if (event.verb == Verb::kFail) line("job", outcome.job);
    line("nodes", fmt::format("{}: {}", report.nodes.size(), in_runs(report.nodes)));
    line("light", fmt::format("{} channels on {} plane{}, {}, {}", report.channels, report.planes,
                              report.planes == 1 ? "" : "s", report.algorithm, fabric::name_of(report.isolation)));
    line("wss", fmt::format("{} change{}, ready at {}", report.wss_changes, report.wss_changes == 1 ? "" : "s",
                            format(event.at + report.wss_time)));
    if (report.parts > 1)
      line("parts", fmt::format("{}: {} WSS changes, {} in every run", report.parts, report.wss_changes_per_run,
                                format(report.wss_time_per_run)));
  }
  for (const auto& [job, isolation] : outcome.isolation_changed)
    line("others", fmt::format("'{}' is {} now", job, fabric::name_of(isolation)));
  line("free", fmt::format("{} nodes, fragmented {:.1f} %", outcome.free_nodes, 100 * report.fragmented));
  return text;
}

}  // namespace

std::string slices(const SlicesOptions& options, bool json) {
  const SliceEvents events = read_slice_events(options.path);
  const fabric::OddlGeometry& g = events.geometry;
  SliceStory story(events);
  nlohmann::ordered_json told = nlohmann::ordered_json::array();
  std::string text =
      fmt::format("slices of ODDL: {} groups of {} nodes, {} channels on {} plane{}, wss {}\n", g.groups,
                  g.nodes_per_group, g.channels, g.planes, g.planes == 1 ? "" : "s", format(events.options.wss));
  for (const SliceEvent& event : events.events) {
    if (options.run && event.verb == Verb::kAdmit && !event.bytes)
      throw Error(ErrorKind::kInput, fmt::format("nothing says how much job '{}' moves", event.request.name),
                  event.place, "Add bytes = \"100 MB\", or leave --run out.");
    const Outcome outcome = story.tell(event);
    if (json)
      told.push_back(to_json(event, outcome));
    else
      text += to_text(event, outcome);
  }
  const std::vector<std::string> running = story.running();
  text += running.empty() ? "at the end no job runs\n" : fmt::format("at the end run: {}\n", fmt::join(running, ", "));
  nlohmann::ordered_json all = {{"version", pipeline::kVersion},
                                {"file", events.source},
                                {"fabric",
                                 {{"groups", g.groups},
                                  {"nodes_per_group", g.nodes_per_group},
                                  {"planes", g.planes},
                                  {"channels", g.channels},
                                  {"wss_s", events.options.wss.to_seconds()}}},
                                {"events", told},
                                {"running", running},
                                {"label", "ours"}};

  // The jobs at work
  if (options.run) {
    pipeline::SliceQuestion question;
    question.jobs = story.jobs();
    question.stretches = story.stretches();
    question.fabric = events.fabric;
    question.runs = events.runs;
    if (options.runs) question.runs = *options.runs;
    question.until = events.until;
    question.prove = options.prove;
    const pipeline::SliceRuns runs = pipeline::run_slices(question);
    text += runs_in_text(question, runs);
    all.update(runs_in_json(question, runs));
  }
  return json ? all.dump(2) + "\n" : text;
}

}  // namespace helio::apps
