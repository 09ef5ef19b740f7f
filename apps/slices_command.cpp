// SPDX-License-Identifier: Apache-2.0
#include "slices_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "fabric/oddl_slice_planner.h"
#include "pipeline/version.h"
#include "slice_events.h"

namespace helio::apps {
namespace {

using fabric::JobId;
using fabric::SlicePlanner;
using fabric::SliceReport;

// What one event came to.
struct Outcome {
  SliceReport report;
  std::string job;  // its name; "": no job is concerned
  std::uint32_t free_nodes = 0;
};

// The planner knows no file: its complaints get the place where the mistake was written.
template <class Ask>
auto ask(const std::string& wrong, const std::string& infeasible, const Ask& planner) {
  try {
    return planner();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), error.kind() == ErrorKind::kInput ? wrong : infeasible, error.advice());
  }
}

class Story {
 public:
  explicit Story(const SliceEvents& events)
      : planner_(ask(events.fabric_place, events.fabric_place,
                     [&] { return SlicePlanner(events.geometry, events.options); })) {}

  Outcome tell(const SliceEvent& event) {
    Outcome outcome = happen(event);
    outcome.free_nodes = planner_.free_nodes();
    outcome.report.fragmented = planner_.fragmented();
    if (event.must && !outcome.report.done)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("'{}' must happen and is refused: {}", name_of(event.verb), outcome.report.reason),
                  event.place, "Leave 'must' out to see what follows, or give the job more room.");
    return outcome;
  }

  std::vector<std::string> running() const {
    std::vector<std::string> names;
    for (const JobId id : planner_.jobs()) names.push_back(name_of_job(id));
    return names;
  }

 private:
  std::string name_of_job(JobId id) const {
    for (const auto& [name, job] : jobs_)
      if (job && *job == id) return name;
    return "";
  }

  Outcome happen(const SliceEvent& event) {
    switch (event.verb) {
      case Verb::kAdmit: return admit(event);
      case Verb::kFail: return fail(event);
      case Verb::kGrow:
      case Verb::kLeave: break;
    }

    // A job that was refused or had to stop can neither grow nor leave; that is an answer, a name nobody knows is a mistake
    const std::string& name = event.request.name;
    const auto at = jobs_.find(name);
    if (at == jobs_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, job] : jobs_) names.push_back(known);
      throw unknown_name("job", name, names, event.place);
    }
    Outcome outcome{.job = name};
    if (!at->second) {
      outcome.report.reason = fmt::format("'{}' does not run", name);
      return outcome;
    }
    if (event.verb == Verb::kGrow) {
      outcome.report = ask(event.detail, event.place, [&] { return planner_.grow(*at->second, event.more); });
      return outcome;
    }
    planner_.leave(*at->second);
    outcome.report.done = true;
    jobs_.erase(at);
    return outcome;
  }

  Outcome admit(const SliceEvent& event) {
    const std::string& name = event.request.name;
    if (const auto at = jobs_.find(name); at != jobs_.end() && at->second)
      throw Error(ErrorKind::kInput, fmt::format("job '{}' runs already", name), event.place, "Give it another name.");
    const std::size_t count = event.request.nodes.empty() ? event.request.wanted : event.request.nodes.size();
    if (const std::uint32_t all = planner_.geometry().nodes(); count > all)
      throw Error(ErrorKind::kInput, fmt::format("job '{}': {} nodes are more than the fabric's {}", name, count, all),
                  event.detail, "Ask for fewer nodes, or build more groups.");
    Outcome outcome{.report = ask(event.detail, event.place, [&] { return planner_.admit(event.request); }),
                    .job = name};
    jobs_[name] = outcome.report.runs ? std::optional(outcome.report.job) : std::nullopt;
    return outcome;
  }

  Outcome fail(const SliceEvent& event) {
    Outcome outcome{.report = ask(event.detail, event.place, [&] { return planner_.fail(event.node); })};
    if (!outcome.report.job.valid()) return outcome;
    outcome.job = name_of_job(outcome.report.job);
    if (!outcome.report.runs) jobs_[outcome.job] = std::nullopt;
    return outcome;
  }

  SlicePlanner planner_;
  std::map<std::string, std::optional<JobId>> jobs_;  // none: refused, or had to stop
};

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
  line("free", fmt::format("{} nodes, fragmented {:.1f} %", outcome.free_nodes, 100 * report.fragmented));
  return text;
}

}  // namespace

std::string slices(const std::string& path, bool json) {
  const SliceEvents events = read_slice_events(path);
  const fabric::OddlGeometry& g = events.geometry;
  Story story(events);
  nlohmann::ordered_json told = nlohmann::ordered_json::array();
  std::string text =
      fmt::format("slices of ODDL: {} groups of {} nodes, {} channels on {} plane{}, wss {}\n", g.groups,
                  g.nodes_per_group, g.channels, g.planes, g.planes == 1 ? "" : "s", format(events.options.wss));
  for (const SliceEvent& event : events.events) {
    const Outcome outcome = story.tell(event);
    if (json)
      told.push_back(to_json(event, outcome));
    else
      text += to_text(event, outcome);
  }
  const std::vector<std::string> running = story.running();
  if (!json)
    return text + (running.empty() ? "at the end no job runs\n"
                                   : fmt::format("at the end run: {}\n", fmt::join(running, ", ")));
  const nlohmann::ordered_json all = {{"version", pipeline::kVersion},
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
  return all.dump(2) + "\n";
}

}  // namespace helio::apps
