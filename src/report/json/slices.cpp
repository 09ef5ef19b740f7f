// SPDX-License-Identifier: Apache-2.0
#include "report/json/slices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "pipeline/version.h"
#include "report/json/json_values.h"

namespace helio::report {
namespace {

using pipeline::counted;

Json event_in_json(const pipeline::SliceEvent& event, const pipeline::SliceOutcome& outcome) {
  const fabric::SliceReport& report = outcome.report;
  Json json = {{"event", pipeline::name_of(event.verb)}, {"at_s", event.at.to_seconds()}};
  json["job"] = outcome.job.empty() ? Json(nullptr) : Json(outcome.job);
  if (event.verb == pipeline::SliceVerb::kFail) json["node"] = event.node.value;
  json["done"] = report.done;
  json["runs"] = report.runs;
  json["reason"] = report.reason;
  json["attempts"] = report.attempts;
  json["free_nodes"] = outcome.free_nodes;
  json["fragmented"] = report.fragmented;
  json["isolation_changed"] = Json::array();
  for (const auto& [job, isolation] : outcome.isolation_changed)
    json["isolation_changed"].push_back({{"job", job}, {"isolation", fabric::name_of(isolation)}});
  if (!report.runs || !report.done) return json;
  json["algorithm"] = report.algorithm;
  json["nodes"] = Json::array();
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

// The jobs, and how each ran on its stretches.
Json runs_in_json(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs) {
  Json jobs = Json::array();
  for (std::size_t j = 0; j < runs.jobs.size(); ++j) {
    const pipeline::JobRuns& job = runs.jobs[j];
    const bool timed = job.simulated > 0;
    const auto seconds = [&](Time time) { return timed ? Json(time.to_seconds()) : Json(nullptr); };
    Json json = {{"job", question.jobs[j]},         {"runs", job.runs},
                 {"runs_simulated", job.simulated}, {"runs_abandoned", job.abandoned},
                 {"run_mean_s", seconds(job.mean)}, {"run_p50_s", seconds(job.p50)},
                 {"run_p99_s", seconds(job.p99)},   {"wss_time_s", job.in_wss.to_seconds()},
                 {"bytes", job.bytes.value}};
    if (question.prove) {
      json["others_flows"] = job.others;
      json["others_flows_beside"] = job.beside;
      json["others_flows_moved"] = job.moved;
    }
    json["stretches"] = Json::array();
    const auto asked = pipeline::stretches_of(question, j);
    for (std::size_t s = 0; s < asked.size(); ++s)
      json["stretches"].push_back({{"at_s", asked[s]->at.to_seconds()},
                                   {"lit_s", job.stretches[s].lit.to_seconds()},
                                   {"end_s", job.stretches[s].end.to_seconds()},
                                   {"nodes", asked[s]->nodes.size()},
                                   {"algorithm", asked[s]->algorithm},
                                   {"parts", asked[s]->parts},
                                   {"runs", job.stretches[s].runs},
                                   {"runs_simulated", job.stretches[s].simulated},
                                   {"run_abandoned", job.stretches[s].abandoned},
                                   {"wss_time_s", job.stretches[s].in_wss.to_seconds()}});
    jobs.push_back(std::move(json));
  }
  return {{"jobs", jobs},
          {"end_s", runs.end.to_seconds()},
          {"control_messages", runs.control_messages},
          {"assumptions", runs.assumptions}};
}

std::string event_in_text(const pipeline::SliceEvent& event, const pipeline::SliceOutcome& outcome) {
  const fabric::SliceReport& report = outcome.report;
  const std::string whom =
      event.verb == pipeline::SliceVerb::kFail ? fmt::format("node {}", event.node.value) : shown(outcome.job);
  std::string text = fmt::format("{:>10}  {} {}: {}\n", format(event.at), pipeline::name_of(event.verb), whom,
                                 report.done ? "done" : "refused: " + visible(report.reason));
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("              {:<11} {}\n", name, visible(value));
  };
  for (const std::string& attempt : report.attempts) line("tried", attempt);
  if (report.runs && report.done) {
    if (event.verb == pipeline::SliceVerb::kFail) line("job", shown(outcome.job));
    line("nodes", fmt::format("{}: {}", report.nodes.size(), in_runs(report.nodes)));
    line("light", fmt::format("{} on {}, {}, {}", counted(report.channels, "channel"), counted(report.planes, "plane"),
                              report.algorithm, fabric::name_of(report.isolation)));
    line("wss",
         fmt::format("{}, ready at {}", counted(report.wss_changes, "change"), format(event.at + report.wss_time)));
    if (report.parts > 1)
      line("parts", fmt::format("{}: {}, {} in every run", report.parts,
                                counted(report.wss_changes_per_run, "WSS change"), format(report.wss_time_per_run)));
  }
  for (const auto& [job, isolation] : outcome.isolation_changed)
    line("others", fmt::format("'{}' is {} now", shown(job), fabric::name_of(isolation)));
  line("free", fmt::format("{}, fragmented {:.1f} %", counted(outcome.free_nodes, "node"), 100 * report.fragmented));
  return text;
}

std::string runs_in_text(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs) {
  std::string text = fmt::format("runs, until {}\n", format(runs.end));
  for (std::size_t j = 0; j < runs.jobs.size(); ++j) {
    const pipeline::JobRuns& job = runs.jobs[j];
    const auto line = [&](const char* name, const std::string& value) {
      text += fmt::format("              {:<11} {}\n", name, visible(value));
    };
    text += fmt::format("  {}: {}, {} of them simulated{}\n", shown(question.jobs[j]), counted(job.runs, "run"),
                        job.simulated, job.abandoned == 0 ? "" : fmt::format(", {} abandoned", job.abandoned));
    const auto asked = pipeline::stretches_of(question, j);
    for (std::size_t s = 0; s < asked.size(); ++s) {
      const pipeline::StretchRuns& stretch = job.stretches[s];
      line(s == 0 ? "stretches" : "",
           fmt::format("{}, {}: lit at {}, {} until {}", counted(asked[s]->nodes.size(), "node"), asked[s]->algorithm,
                       format(stretch.lit), counted(stretch.runs, "run"), format(stretch.end)));
    }
    if (job.simulated > 0)
      line("a run", fmt::format("mean {}, p50 {}, p99 {}", format(job.mean), format(job.p50), format(job.p99)));
    line("wss", fmt::format("{} in all", format(job.in_wss)));
    line("bytes", format(job.bytes));
    if (!question.prove) continue;
    const char* name = "isolation";
    for (const std::string& words : isolation_in_words(job)) line(std::exchange(name, ""), words);
  }
  for (const std::string& assumption : runs.assumptions) text += fmt::format("  assumed: {}\n", assumption);
  return text;
}

}  // namespace

std::string to_json(const pipeline::SliceTold& told) {
  const pipeline::SliceEvents& events = told.events;
  const fabric::OddlGeometry& g = events.geometry;
  Json answers = Json::array();
  for (std::size_t i = 0; i < told.outcomes.size(); ++i)
    answers.push_back(event_in_json(events.events[i], told.outcomes[i]));
  Json all = {{"version", pipeline::kVersion},
              {"file", events.source},
              {"fabric",
               {{"groups", g.groups},
                {"nodes_per_group", g.nodes_per_group},
                {"planes", g.planes},
                {"channels", g.channels},
                {"wss_s", events.options.wss.to_seconds()}}},
              {"events", answers},
              {"running", told.running},
              {"label", "ours"}};
  if (told.runs) all.update(runs_in_json(told.question, *told.runs));
  return json_dump(all, 2) + "\n";
}

std::vector<std::string> isolation_in_words(const pipeline::JobRuns& job) {
  if (job.others == 0) return {"nobody else is there but those that got its nodes or light after it"};
  std::vector<std::string> words = {
      fmt::format("without it {} of {} of others {} at other times; {} of them {} beside its own", job.moved,
                  counted(job.others, "flow"), job.moved == 1 ? "begins or ends" : "begin or end", job.beside,
                  job.beside == 1 ? "runs" : "run")};
  if (job.beside == 0)
    words.push_back("which shows little: its simulated runs and theirs are never at the same time (see --runs)");
  return words;
}

std::string in_runs(const std::vector<NodeId>& nodes) {
  std::vector<std::string> runs;
  for (std::size_t begin = 0, end; begin < nodes.size(); begin = end) {
    for (end = begin + 1; end < nodes.size() && nodes[end].value == nodes[end - 1].value + 1;) ++end;
    runs.push_back(end == begin + 1 ? fmt::format("{}", nodes[begin].value)
                                    : fmt::format("{}-{}", nodes[begin].value, nodes[end - 1].value));
  }
  return fmt::format("{}", fmt::join(runs, ","));
}

std::string to_text(const pipeline::SliceTold& told) {
  const fabric::OddlGeometry& g = told.events.geometry;
  std::string text = fmt::format("slices of ODDL: {} of {}, {} on {}, wss {}\n", counted(g.groups, "group"),
                                 counted(g.nodes_per_group, "node"), counted(g.channels, "channel"),
                                 counted(g.planes, "plane"), format(told.events.options.wss));
  for (std::size_t i = 0; i < told.outcomes.size(); ++i) text += event_in_text(told.events.events[i], told.outcomes[i]);
  std::vector<std::string> running;
  for (const std::string& job : told.running) running.push_back(shown(job));
  text += running.empty() ? "at the end no job runs\n" : fmt::format("at the end run: {}\n", fmt::join(running, ", "));
  return told.runs ? text + runs_in_text(told.question, *told.runs) : text;
}

}  // namespace helio::report
