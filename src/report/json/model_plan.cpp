// SPDX-License-Identifier: Apache-2.0
#include "report/json/model_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "pipeline/counted.h"
#include "report/figures/chart.h"
#include "report/json/comparison.h"
#include "report/text/bill_text.h"
#include "report/text/table_text.h"

namespace helio::report {

using pipeline::Candidate;
using pipeline::ModelPlan;
using pipeline::PlannedRun;

namespace {

std::string seconds(double time) { return format(Time::seconds(time)); }

Json run_json(const PlannedRun& run) {
  Json json = candidate_json(run.candidate);
  for (const auto& [name, degree] :
       {std::pair{"tp", run.tp}, {"pp", run.pp}, {"cp", run.cp}, {"dp", run.dp}, {"ep", run.ep}})
    json[name] = degree;
  json["memory_bytes"] = number(run.memory_bytes);
  json["samples_per_s"] = run.samples_per_s;
  json["cut"] = run.cut;
  return json;
}

std::string certificate(const ModelPlan& plan) {
  if (plan.gap == 0)
    return plan.least_left_s > 0
               ? fmt::format("proven best within the model: nothing that was not run takes less than {}",
                             seconds(plan.least_left_s))
               : "proven best within the model: all of it ran";
  const std::string why = plan.ended == "runs"     ? "the limit of runs"
                          : plan.ended == "time"   ? "the limit of time, by the clock"
                          : plan.ended == "budget" ? "the budget of a run"
                                                   : "an interruption";
  return fmt::format("gap {:.3g} %: {} ended the search, and something that was not run takes at least {}",
                     100 * plan.gap, why, seconds(plan.least_left_s));
}

std::string judged_words(const ModelPlan& plan) {
  return fmt::format(
      "{} candidates judged ({:.3g} a second), {} of them do not fit into memory; {} simulated, {} refused, {} skipped "
      "because they are like those",
      plan.judged, plan.judging_s > 0 ? static_cast<double>(plan.judged) / plan.judging_s : 0.0, plan.no_memory,
      plan.ran, plan.refused, plan.skipped);
}

std::vector<std::string> row(const PlannedRun& run) {
  const Candidate& one = run.candidate;
  return {shown(one.title) + (run.cut ? "*" : ""),
          seconds(one.time_s),
          seconds(one.bound_s),
          seconds(one.exposed_s),
          one.value_error ? fmt::format("{:.2g}", *one.value_error) : "exact",
          in_words(one.watts),
          in_words(one.cost),
          one.strategy};
}

std::string splits_text(const ModelPlan& plan, const Look& look) {
  std::vector<std::vector<std::string>> rows = {{"tp", "pp", "cp", "time", "more", "fabric", "strategy"}};
  for (const std::size_t i : plan.splits) {
    const PlannedRun& run = plan.runs[i];
    rows.push_back({fmt::format("{}", run.tp), fmt::format("{}", run.pp), fmt::format("{}", run.cp),
                    seconds(run.candidate.time_s),
                    fmt::format("{:.3g} %", 100 * (run.candidate.time_s / plan.runs.front().candidate.time_s - 1)),
                    shown(run.candidate.title), run.candidate.strategy});
  }
  return table_of(rows, {0, 1, 2, 3, 4}, look);
}

// What the network is made of.
Table bill_table(const Candidate& one) {
  Table table{.name = "bill",
              .title = "What the network of the winner is made of: " + one.title,
              .columns = {{"part"}, {"count", true}, {"where"}, {"W", true}, {"USD", true}, {"source"}},
              .rows = {}};
  for (const fabric::Priced::Line& line : one.bill)
    table.rows.push_back({{line.what.part},
                          {fmt::format("{:.6g}", line.what.count), line.what.count},
                          {line.what.where},
                          {in_words(line.watts), line.watts.middle()},
                          {in_words(line.cost), line.cost.middle()},
                          {line.source}});
  return table;
}

// Time against what a network takes or costs, of the best of each fabric.
Chart front_chart(const ModelPlan& plan, const char* name, const char* title, const char* label,
                  double (*read)(const Candidate&)) {
  Chart chart{.name = name, .title = title, .x_label = label, .y_label = "iteration (s)", .log_x = true, .log_y = true};
  for (const std::size_t i : plan.best_of_family) {
    const Candidate& one = plan.runs[i].candidate;
    chart.series.push_back({.name = one.title, .points = {{read(one), one.time_s}}, .joined = false});
  }
  return chart;
}

}  // namespace

std::string to_json(const ModelPlan& plan) {
  Json json = {{"model", plan.model},
               {"npu", plan.npu},
               {"npus", plan.npus},
               {"batch", number(plan.batch)},
               {"injection_bps", plan.footing.injection ? number(plan.footing.injection->value) : Json(nullptr)},
               {"latency_s", plan.footing.latency ? number(plan.footing.latency->to_seconds()) : Json(nullptr)},
               {"overhead_s", plan.footing.overhead ? number(plan.footing.overhead->to_seconds()) : Json(nullptr)},
               {"judged", plan.judged},
               {"no_memory", plan.no_memory},
               {"simulated", plan.ran},
               {"refused", plan.refused},
               {"skipped", plan.skipped},
               {"candidates", Json::array()},
               {"left_out", Json::array()}};
  for (const PlannedRun& run : plan.runs) json["candidates"].push_back(run_json(run));
  for (const Candidate& one : plan.left_out)
    json["left_out"].push_back({{"fabric", one.title}, {"reason", one.reason.text()}});
  const bool two = plan.runs.size() > 1;
  json["winner"] = run_json(plan.runs.front());
  json["runner_up"] = two ? run_json(plan.runs[1]) : Json(nullptr);
  json["margin"] = two ? Json(plan.runs[1].candidate.time_s / plan.runs[0].candidate.time_s - 1) : Json(nullptr);
  json["best_of_family"] = plan.best_of_family;
  json["family_gap"] = plan.family_gap;
  json["front"] = plan.front;
  json["splits"] = plan.splits;
  json["least_left_s"] = plan.least_left_s > 0 ? Json(plan.least_left_s) : Json(nullptr);
  json["gap"] = plan.gap;
  json["proven"] = plan.gap == 0;
  json["ended"] = plan.ended;
  json["refusals"] = plan.refusals;
  json["defaults"] = plan.defaults;
  json["not_searched"] = plan.not_searched;
  add_switching(json, plan.switching, plan.steady);
  return json_dump(json, 2) + "\n";
}

std::string to_text(const ModelPlan& plan, const Look& look) {
  std::string text = fmt::format("{} on {} of {}, a batch of {:g}\n  {}\n", plan.model,
                                 pipeline::counted(plan.npus, "NPU"), plan.npu, plan.batch, in_words(plan.footing));
  for (const std::string& words : plan.defaults) text += fmt::format("  default      {}\n", words);
  const PlannedRun& winner = plan.runs.front();
  text += fmt::format("\n  winner       {}, {}: {}\n", shown(winner.candidate.title), seconds(winner.candidate.time_s),
                      winner.candidate.strategy);
  text += fmt::format("               {} of an NPU, {:.4g} samples a second, {}\n", format(Bytes{winner.memory_bytes}),
                      winner.samples_per_s, winner.candidate.why);
  if (plan.runs.size() > 1) {
    const PlannedRun& next = plan.runs[1];
    text += fmt::format("  runner-up    {}, {} ({:.3g} % longer): {}\n", shown(next.candidate.title),
                        seconds(next.candidate.time_s), 100 * (next.candidate.time_s / winner.candidate.time_s - 1),
                        next.candidate.strategy);
  }
  text += fmt::format("  certificate  {}\n  searched     {}\n", certificate(plan), judged_words(plan));

  std::vector<std::vector<std::string>> rows = {
      {"fabric", "time", "bound", "exposed", "value error", "W", "USD", "gap", "why", "strategy"}};
  for (std::size_t k = 0; k < plan.best_of_family.size(); ++k) {
    rows.push_back(row(plan.runs[plan.best_of_family[k]]));
    rows.back().insert(rows.back().end() - 1, {fmt::format("{:.3g} %", 100 * plan.family_gap[k]),
                                               plan.runs[plan.best_of_family[k]].candidate.why});
  }
  text += "\n  the best that was simulated of each fabric, and what of it another way there could save at most\n" +
          table_of(rows, {1, 2, 3, 4, 5, 6, 7}, look);
  if (std::ranges::any_of(plan.best_of_family, [&](std::size_t i) { return plan.runs[i].cut; }))
    text += "  * cut by the budget of a run before all algorithms were searched: it may be faster (--budget)\n";
  text += "  front of time, watts and cost:";
  for (const std::size_t i : plan.front) text += " " + shown(plan.runs[i].candidate.title);
  text += "\n";
  text += "\n  splits, the fastest that was simulated of each\n" + splits_text(plan, look);
  text += switching_text(plan.switching, plan.steady);
  for (const Candidate& one : plan.left_out) text += fmt::format("  {}: {}\n", shown(one.title), one.reason.text());
  for (const std::string& refusal : plan.refusals) text += fmt::format("  refused: {}\n", refusal);
  text += "\n  not searched\n";
  for (const std::string& what : plan.not_searched) text += fmt::format("    {}\n", what);
  return text;
}

Page page_of(const ModelPlan& plan) {
  Page page{.title = fmt::format("Which machine for {}?", plan.model),
            .lead = fmt::format("{} of {}, a batch of {:g}; {}", pipeline::counted(plan.npus, "NPU"), plan.npu,
                                plan.batch, in_words(plan.footing))};
  const PlannedRun& winner = plan.runs.front();
  Section best{.name = "best", .title = "The answer"};
  best.cards = {{seconds(winner.candidate.time_s), winner.candidate.title, winner.candidate.strategy},
                {fmt::format("{:.3g} %", 100 * plan.gap), "gap", certificate(plan)},
                {in_words(winner.candidate.watts) + " W", "of its network", "at full load"}};
  best.words = {judged_words(plan) + ".", winner.candidate.why + "."};

  for (const pipeline::Switching& at : plan.switching) best.words.push_back(in_words(at) + ".");
  for (const std::string& words : plan.steady) best.words.push_back(words + ".");

  // Time against watts and cost, and what is exposed, of the best of each
  Chart exposed{.name = "exposed",
                .title = "What is exposed in the best of each fabric",
                .x_label = "fabric",
                .y_label = "exposed (s)"};
  Series bars{.name = "exposed"};
  for (const std::size_t i : plan.best_of_family) {
    const Candidate& one = plan.runs[i].candidate;
    exposed.cases.push_back(one.title);
    bars.points.emplace_back(static_cast<double>(exposed.cases.size()), one.exposed_s);
  }
  exposed.series.push_back(std::move(bars));
  best.figures = {figure_of(front_chart(plan, "front", "Time against the network's watts", "W at full load",
                                        [](const Candidate& one) { return one.watts.middle(); })),
                  figure_of(front_chart(plan, "cost", "Time against the network's cost", "USD",
                                        [](const Candidate& one) { return one.cost.middle(); })),
                  figure_of(exposed)};
  best.tables.push_back(bill_table(winner.candidate));
  page.sections.push_back(std::move(best));

  Section all{.name = "judged", .title = "Everything that was simulated"};
  Table table{.name = "runs",
              .title = "The fastest first",
              .columns = {{"fabric"},
                          {"strategy"},
                          {"time", true},
                          {"bound", true},
                          {"exposed", true},
                          {"value error", true},
                          {"W", true},
                          {"USD", true},
                          {"memory", true},
                          {"algorithms"},
                          {"why"}},
              .rows = {}};
  for (const PlannedRun& run : plan.runs) {
    const Candidate& one = run.candidate;
    table.rows.push_back({{one.title},
                          {one.strategy},
                          {seconds(one.time_s), one.time_s},
                          {seconds(one.bound_s), one.bound_s},
                          {seconds(one.exposed_s), one.exposed_s},
                          {fmt::format("{:.2g}", one.value_error.value_or(0)), one.value_error.value_or(0)},
                          {in_words(one.watts), one.watts.middle()},
                          {in_words(one.cost), one.cost.middle()},
                          {format(Bytes{run.memory_bytes}), run.memory_bytes},
                          {one.algorithm},
                          {one.why}});
  }
  all.tables.push_back(std::move(table));
  for (const Candidate& one : plan.left_out) all.words.push_back(one.title + ": " + one.reason.text());
  for (const std::string& what : plan.not_searched) all.words.push_back("Not searched: " + what + ".");
  page.sections.push_back(std::move(all));
  make_names_unique(page);
  return page;
}

}  // namespace helio::report
