// SPDX-License-Identifier: Apache-2.0
#include "slices_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "pipeline/counted.h"
#include "pipeline/version.h"
#include "report/figures/slice_figure.h"
#include "report/pages/folder.h"
#include "slice_runs_text.h"
#include "slice_story.h"

namespace helio::apps {
namespace {

using fabric::SliceReport;
using pipeline::counted;

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
    line("light", fmt::format("{} on {}, {}, {}", counted(report.channels, "channel"), counted(report.planes, "plane"),
                              report.algorithm, fabric::name_of(report.isolation)));
    line("wss",
         fmt::format("{}, ready at {}", counted(report.wss_changes, "change"), format(event.at + report.wss_time)));
    if (report.parts > 1)
      line("parts", fmt::format("{}: {}, {} in every run", report.parts,
                                counted(report.wss_changes_per_run, "WSS change"), format(report.wss_time_per_run)));
  }
  for (const auto& [job, isolation] : outcome.isolation_changed)
    line("others", fmt::format("'{}' is {} now", job, fabric::name_of(isolation)));
  line("free", fmt::format("{}, fragmented {:.1f} %", counted(outcome.free_nodes, "node"), 100 * report.fragmented));
  return text;
}

report::SliceMark mark_of(const SliceEvent& event, const Outcome& outcome) {
  const SliceReport& answer = outcome.report;
  report::SliceMark mark{event.at, std::string(name_of(event.verb)), outcome.job, {}, answer.done, ""};
  if (event.verb == Verb::kFail) mark.node = event.node;
  mark.words = mark.node ? fmt::format("fail node {}", mark.node->value) : fmt::format("{} {}", mark.verb, mark.job);
  mark.words += answer.done ? "" : fmt::format("\nrefused: {}", answer.reason);
  if (answer.runs && answer.done)
    mark.words +=
        fmt::format("\nnodes {}\n{} on {}, {}, {}", in_runs(answer.nodes), counted(answer.channels, "channel"),
                    counted(answer.planes, "plane"), answer.algorithm, fabric::name_of(answer.isolation));
  return mark;
}

report::Cell number(double value, std::string text) { return {.text = std::move(text), .value = value}; }

// Every event with its answer, and how the jobs ran.
std::vector<report::Table> tables_of(const SliceEvents& events, const std::vector<Outcome>& outcomes,
                                     const report::SliceChart& chart) {
  report::Table asked{
      .name = "events",
      .title = "What happened",
      .columns = {{"at", true}, {"event"}, {"job"}, {"answer"}, {"nodes"}, {"channels", true}, {"light from", true}},
      .rows = {}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const SliceEvent& event = events.events[i];
    const SliceReport& answer = outcomes[i].report;
    const bool lit = answer.runs && answer.done;
    const Time from = event.at + answer.wss_time;
    asked.rows.push_back(
        {number(event.at.to_seconds(), format(event.at)),
         {event.verb == Verb::kFail ? fmt::format("fail node {}", event.node.value) : std::string(name_of(event.verb))},
         {outcomes[i].job},
         {.text = answer.done ? "done" : "refused: " + answer.reason, .mark = answer.done ? "good" : "bad"},
         {lit ? in_runs(answer.nodes) : ""},
         lit ? number(answer.channels, fmt::format("{}", answer.channels)) : report::Cell{},
         lit ? number(from.to_seconds(), format(from)) : report::Cell{}});
  }
  if (!chart.runs) return {asked};
  report::Table ran{.name = "runs",
                    .title = "How the jobs ran",
                    .columns = {{"job"},
                                {"runs", true},
                                {"simulated", true},
                                {"mean", true},
                                {"99 of 100", true},
                                {"in the WSS", true},
                                {"bytes", true}},
                    .rows = {}};
  for (std::size_t j = 0; j < chart.jobs.size(); ++j) {
    const pipeline::JobRuns& job = chart.runs->jobs[j];
    const auto count = [](std::uint64_t n) { return number(static_cast<double>(n), fmt::format("{}", n)); };
    const auto time = [](Time t) { return number(t.to_seconds(), format(t)); };
    ran.rows.push_back({{chart.jobs[j]},
                        count(job.runs),
                        count(job.simulated),
                        time(job.mean),
                        time(job.p99),
                        time(job.in_wss),
                        number(job.bytes.value, format(job.bytes))});
  }
  return {asked, ran};
}

// Whether anybody felt each of the jobs, in the words of the terminal.
report::Table isolation_of(const report::SliceChart& chart) {
  report::Table proof{
      .name = "isolation",
      .title = "Who feels it when a job is not there",
      .columns = {{"job"}, {"flows of others", true}, {"beside its own", true}, {"moved", true}, {"which says"}},
      .rows = {}};
  for (std::size_t j = 0; j < chart.jobs.size(); ++j) {
    const pipeline::JobRuns& job = chart.runs->jobs[j];
    const auto count = [](std::uint64_t n) { return number(static_cast<double>(n), fmt::format("{}", n)); };
    report::Cell moved = count(job.moved);
    moved.mark = job.moved > 0 ? "bad" : job.beside > 0 ? "good" : "";
    proof.rows.push_back({{chart.jobs[j]},
                          count(job.others),
                          count(job.beside),
                          moved,
                          {fmt::format("{}", fmt::join(isolation_in_words(job), ", "))}});
  }
  return proof;
}

// Of all jobs together, for those that look no further.
report::Card isolation_card(const pipeline::SliceRuns& runs) {
  std::uint64_t moved = 0, beside = 0;
  for (const pipeline::JobRuns& job : runs.jobs) moved += job.moved, beside += job.beside;
  return {fmt::format("{}", moved), "flows that moved when another job was left out",
          fmt::format("{} were simulated beside that job's own", beside)};
}

void write_page(const SlicesOptions& options, const SliceEvents& events, const std::vector<Outcome>& outcomes,
                const report::SliceChart& chart, const nlohmann::ordered_json& all) {
  const fabric::OddlGeometry& g = events.geometry;
  const report::Figure figure = report::slice_figure(chart);
  report::Section section{
      .name = "story",
      .title = "",
      .cards = {{fmt::format("{}", g.nodes()), "nodes",
                 fmt::format("{} of {}", counted(g.groups, "group"), g.nodes_per_group)},
                {fmt::format("{}", g.channels), "channels out of a group", "on each of " + counted(g.planes, "plane")},
                {format(events.options.wss), "one change of a WSS"},
                {fmt::format("{}", chart.jobs.size()), "jobs that got a slice"}},
      .words = {},
      .figures = {figure},
      .tables = tables_of(events, outcomes, chart)};
  report::Page page{.title = "Slices of ODDL", .command = options.command, .version = std::string(pipeline::kVersion)};
  page.sections.push_back(std::move(section));
  if (chart.runs) page.sections.back().words = chart.runs->assumptions;
  if (options.prove) {
    page.sections.back().tables.push_back(isolation_of(chart));
    page.sections.back().cards.push_back(isolation_card(*chart.runs));
  }
  report::write_report({{page}, {{"slices.json", all.dump(2) + "\n"}}}, options.report, "--report");
}

}  // namespace

std::string slices(const SlicesOptions& options, bool json) {
  const SliceEvents events = read_slice_events(options.path);
  const fabric::OddlGeometry& g = events.geometry;
  SliceStory story(events);
  std::vector<Outcome> outcomes;
  report::SliceChart chart{.geometry = g, .until = events.until};
  nlohmann::ordered_json told = nlohmann::ordered_json::array();
  std::string text = fmt::format("slices of ODDL: {} of {}, {} on {}, wss {}\n", counted(g.groups, "group"),
                                 counted(g.nodes_per_group, "node"), counted(g.channels, "channel"),
                                 counted(g.planes, "plane"), format(events.options.wss));
  for (const SliceEvent& event : events.events) {
    if (options.run && event.verb == Verb::kAdmit && !event.bytes)
      throw Error(ErrorKind::kInput, fmt::format("nothing says how much job '{}' moves", event.request.name),
                  event.place, "Add bytes = \"100 MB\", or leave --run out.");
    const Outcome& outcome = outcomes.emplace_back(story.tell(event));
    chart.marks.push_back(mark_of(event, outcome));
    if (story.stretches().size() > chart.lit.size()) chart.lit.push_back(event.at + outcome.report.wss_time);
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
    pipeline::SliceRuns runs = pipeline::run_slices(question);
    text += runs_in_text(question, runs);
    all.update(runs_in_json(question, runs));
    chart.runs = std::move(runs);
  }
  if (!options.report.empty()) {
    chart.jobs = story.jobs();
    chart.stretches = story.stretches();
    write_page(options, events, outcomes, chart, all);
  }
  return json ? all.dump(2) + "\n" : text;
}

}  // namespace helio::apps
