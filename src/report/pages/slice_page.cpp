// SPDX-License-Identifier: Apache-2.0
#include "report/pages/slice_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/units.h"
#include "pipeline/counted.h"
#include "report/json/slices.h"

namespace helio::report {
namespace {

using fabric::SliceReport;
using pipeline::counted;

SliceMark mark_of(const pipeline::SliceEvent& event, const pipeline::SliceOutcome& outcome) {
  const SliceReport& answer = outcome.report;
  SliceMark mark{event.at, std::string(pipeline::name_of(event.verb)), outcome.job, {}, answer.done, ""};
  if (event.verb == pipeline::SliceVerb::kFail) mark.node = event.node;
  mark.words = mark.node ? fmt::format("fail node {}", mark.node->value) : fmt::format("{} {}", mark.verb, mark.job);
  mark.words += answer.done ? "" : fmt::format("\nrefused: {}", answer.reason);
  if (answer.runs && answer.done)
    mark.words +=
        fmt::format("\nnodes {}\n{} on {}, {}, {}", in_runs(answer.nodes), counted(answer.channels, "channel"),
                    counted(answer.planes, "plane"), answer.algorithm, fabric::name_of(answer.isolation));
  return mark;
}

Cell number(double value, std::string text) { return {.text = std::move(text), .value = value}; }

// Every event with its answer, and how the jobs ran.
std::vector<Table> tables_of(const pipeline::SliceEvents& events, const std::vector<pipeline::SliceOutcome>& outcomes,
                             const SliceChart& chart) {
  Table asked{
      .name = "events",
      .title = "What happened",
      .columns = {{"at", true}, {"event"}, {"job"}, {"answer"}, {"nodes"}, {"channels", true}, {"light from", true}},
      .rows = {}};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const pipeline::SliceEvent& event = events.events[i];
    const SliceReport& answer = outcomes[i].report;
    const bool lit = answer.runs && answer.done;
    const Time from = event.at + answer.wss_time;
    asked.rows.push_back(
        {number(event.at.to_seconds(), format(event.at)),
         {event.verb == pipeline::SliceVerb::kFail ? fmt::format("fail node {}", event.node.value)
                                                   : std::string(pipeline::name_of(event.verb))},
         {outcomes[i].job},
         {.text = answer.done ? "done" : "refused: " + answer.reason, .mark = answer.done ? "good" : "bad"},
         {lit ? in_runs(answer.nodes) : ""},
         lit ? number(answer.channels, fmt::format("{}", answer.channels)) : Cell{},
         lit ? number(from.to_seconds(), format(from)) : Cell{}});
  }
  if (!chart.runs) return {asked};
  Table ran{.name = "runs",
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
Table isolation_of(const SliceChart& chart) {
  Table proof{
      .name = "isolation",
      .title = "Who feels it when a job is not there",
      .columns = {{"job"}, {"flows of others", true}, {"beside its own", true}, {"moved", true}, {"which says"}},
      .rows = {}};
  for (std::size_t j = 0; j < chart.jobs.size(); ++j) {
    const pipeline::JobRuns& job = chart.runs->jobs[j];
    const auto count = [](std::uint64_t n) { return number(static_cast<double>(n), fmt::format("{}", n)); };
    Cell moved = count(job.moved);
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
Card isolation_card(const pipeline::SliceRuns& runs) {
  std::uint64_t moved = 0, beside = 0;
  for (const pipeline::JobRuns& job : runs.jobs) moved += job.moved, beside += job.beside;
  return {fmt::format("{}", moved), "flows that moved when another job was left out",
          fmt::format("{} were simulated beside that job's own", beside)};
}

}  // namespace

SliceChart chart_of(const pipeline::SliceTold& told) {
  SliceChart chart{.geometry = told.events.geometry,
                   .jobs = told.question.jobs,
                   .stretches = told.question.stretches,
                   .until = told.events.until,
                   .runs = told.runs};
  for (std::size_t i = 0; i < told.outcomes.size(); ++i) {
    const pipeline::SliceEvent& event = told.events.events[i];
    chart.marks.push_back(mark_of(event, told.outcomes[i]));
    if (told.outcomes[i].lit) chart.lit.push_back(event.at + told.outcomes[i].report.wss_time);
  }
  return chart;
}

Page page_of(const pipeline::SliceTold& told) {
  const fabric::OddlGeometry& g = told.events.geometry;
  const SliceChart chart = chart_of(told);
  Section section{
      .name = "story",
      .title = "",
      .cards = {{fmt::format("{}", g.nodes()), "nodes",
                 fmt::format("{} of {}", counted(g.groups, "group"), g.nodes_per_group)},
                {fmt::format("{}", g.channels), "channels out of a group", "on each of " + counted(g.planes, "plane")},
                {format(told.events.options.wss), "one change of a WSS"},
                {fmt::format("{}", chart.jobs.size()), "jobs that got a slice"}},
      .words = {},
      .figures = {slice_figure(chart)},
      .tables = tables_of(told.events, told.outcomes, chart)};
  if (chart.runs) section.words = chart.runs->assumptions;
  if (told.question.prove) {
    section.tables.push_back(isolation_of(chart));
    section.cards.push_back(isolation_card(*chart.runs));
  }
  Page page{.title = "Slices of ODDL"};
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace helio::report
