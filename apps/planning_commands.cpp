// SPDX-License-Identifier: Apache-2.0
// helio compare, plan: which network, at equal budgets.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>

#include "ask/compare.h"
#include "ask/plan.h"
#include "ask/report.h"
#include "colour.h"
#include "commands.h"
#include "option_words.h"
#include "report/json/collective_map.h"
#include "report/json/comparison.h"
#include "report/json/model_map.h"
#include "report/json/model_plan.h"

namespace helio::apps {
namespace {

// What every network has alike.
template <class Question>
void add_footing(CLI::App& command, Question& q) {
  command.add_option(
      "--injection", q.injection,
      "what a node can send in all, such as \"2.4 Tb/s\"; that of the first fabric when left out; own: as "
      "each fabric has it");
  command.add_option(
      "--latency", q.latency,
      fmt::format("of a message on each link that it crosses; {} when left out; own: as each fabric has it",
                  ask::kUsualLatency));
  command.add_option("--overhead", q.overhead,
                     fmt::format("of each dependent step at its ends; {} when left out; own: as each fabric has it",
                                 ask::kUsualOverhead));
  command.add_option(
      "--error", q.error,
      "of the values that are averaged or compressed on the way: the largest that a winner may have; any "
      "when left out");
}

void add_compare(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand("compare", "One question, several networks, one budget, one table");
  auto& asked = add<ask::CompareQuestion>(commands, command, [](auto& a) {
    a.question.set = assignments(a.set);
    pipeline::Comparison found = watched([&](const ask::Watch& watch) { return ask::compare(a.question, watch); });
    for (pipeline::Candidate& candidate : found.candidates) candidate.reason = in_options(candidate.reason);
    return a.output.json ? report::to_json(found) : report::to_text(found, standard_output());
  });
  ask::CompareQuestion& q = asked.question;
  q.place = "command line";
  add_path(command, "QUESTION", q.what, PathUse::kRead,
           "a kind of collective, such as all-reduce, or an experiment file (docs/compare.md)")
      ->required();
  command
      .add_option("--fabric", q.fabric,
                  "NAME or NAME:parameter=value,..., once for each; composite:LEVEL/LEVEL; all of them when left out")
      ->allow_extra_args(false);
  command.add_option("--nodes", q.nodes, "of every fabric; of an experiment: those of its own fabric when left out")
      ->type_name("INT");
  command.add_option("--bytes", q.bytes, "a collective: the full vector, such as \"100 MB\"");
  add_footing(command, q);
  command.add_option("--algorithm", q.algorithm, "a collective: which moves; auto, the fastest of them, when left out");
  command.add_option("--npu", q.npu, "a collective: what stands at the nodes and adds; adding is free when left out");
  command.add_option("--root", q.root, "broadcast and reduce: the rank that sends, or receives the sum")
      ->type_name("INT");
  command
      .add_option("--set", asked.set,
                  "part.NAME.KEY=VALUE, fabric.NAME=VALUE of all; of an experiment also job.KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--switching", q.switching,
                  "parameters whose value at which another fabric wins is looked for, by runs, against all others: "
                  "injection, latency, overhead, retune, hop_loss, bytes, npu_speed, with commas between; all, "
                  "against the runner-up, when left out, of a collective on up to 64 nodes; none")
      ->type_name("LIST");
  add_budget(command, asked.output);
  add_json(command, asked.output);
}

void add_plan_collective(CLI::App& plan, Commands& commands) {
  CLI::App& command =
      *plan.add_subcommand("collective", "The best fabric and schedule for a collective, over sizes and nodes");
  auto& asked = add<ask::MapQuestion>(commands, command, [typed = commands.typed](auto& a) {
    a.question.set = assignments(a.set);
    pipeline::CollectiveMap found =
        watched([&](const ask::Watch& watch) { return ask::map_collective(a.question, watch); });
    for (pipeline::Comparison& cell : found.cells)
      for (pipeline::Candidate& candidate : cell.candidates) candidate.reason = in_options(candidate.reason);
    if (!a.output.report.empty()) ask::write(ask::report_of(found), a.output.report, typed, "--report");
    return a.output.json ? report::to_json(found) : report::to_text(found, standard_output());
  });
  ask::MapQuestion& q = asked.question;
  q.place = "command line";
  command.add_option("KIND", q.kind, "all-reduce, reduce-scatter, all-gather, broadcast, reduce, all-to-all")
      ->required();
  command.add_option("--nodes", q.nodes, "rows of the map")->capture_default_str();
  command.add_option("--bytes", q.bytes, "columns of the map")->capture_default_str();
  command
      .add_option("--fabric", q.fabric,
                  "NAME or NAME:parameter=value,..., once for each; composite:LEVEL/LEVEL; all of them when left out")
      ->allow_extra_args(false);
  add_footing(command, q);
  command.add_option("--algorithm", q.algorithm, "which moves; auto, the fastest of them, when left out");
  command.add_option("--npu", q.npu, "what stands at the nodes and adds; adding is free when left out");
  command.add_option("--set", asked.set, "part.NAME.KEY=VALUE, fabric.NAME=VALUE of all")->allow_extra_args(false);
  add_budget(command, asked.output);
  add_report(command, asked.output, ask::kPlanFile,
             "write a page with charts and all that was judged into this folder");
  add_json(command, asked.output);
}

// Set by who types Ctrl-C while a search runs: it ends with the best so far.
volatile std::sig_atomic_t interrupted = 0;

CLI::App& add_plan(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand("plan", "Which machine to build for a model, and how to run it there");
  command.require_subcommand(0, 1);
  auto& asked = add<ask::PlanQuestion>(commands, command, [typed = commands.typed](auto& a) {
    ask::PlanQuestion& q = a.question;
    if (q.what.empty())
      throw Error(ErrorKind::kUsage, "nothing to plan for", "MODEL", "Name a model, a file, or collective KIND.");
    q.set = assignments(a.set);
    q.interrupted = [] { return interrupted != 0; };
    std::signal(SIGINT, [](int) { interrupted = 1; });
    ask::Planned planned = watched([&](const ask::Watch& watch) { return ask::plan(q, watch); });
    std::signal(SIGINT, SIG_DFL);
    if (auto* plan = std::get_if<pipeline::ModelPlan>(&planned))
      for (pipeline::Candidate& one : plan->left_out) one.reason = in_options(one.reason);
    return std::visit(
        [&](const auto& found) {
          if (!a.output.report.empty()) ask::write(ask::report_of(found), a.output.report, typed, "--report");
          return a.output.json ? report::to_json(found) : report::to_text(found, standard_output());
        },
        planned);
  });
  ask::PlanQuestion& q = asked.question;
  q.place = "command line";
  add_path(command, "MODEL", q.what, PathUse::kRead,
           "of the zoo, a config.json, a table of layers, or a file with [plan] (docs/model-plan.md)");
  command
      .add_option("--fabric", q.fabric,
                  "NAME or NAME:parameter=value,..., once for each; composite:LEVEL/LEVEL; all of them when left out")
      ->allow_extra_args(false);
  for (const ask::PlanKey& key : ask::plan_keys()) {
    std::string name(key.name);
    std::ranges::replace(name, '_', '-');
    command
        .add_option_function<std::string>(
            "--" + name,
            [&q, key = std::string(key.name), name](const std::string& text) {
              q.keys[key] = {text, "--" + name};
            },
            std::string(key.meaning) + (key.list ? "; values to try, with commas between" : ""))
        ->type_name(key.list ? "LIST" : "TEXT");
  }
  command.add_option("--set", asked.set, "part.NAME.KEY=VALUE, job.KEY=VALUE of what is not searched")
      ->allow_extra_args(false);
  add_budget(command, asked.output);
  add_report(command, asked.output, ask::kPlanFile, "write a page with the front and all that ran into this folder");
  add_json(command, asked.output);
  return command;
}

}  // namespace

void add_planning_commands(CLI::App& app, Commands& commands) {
  add_compare(app, commands);
  add_plan_collective(add_plan(app, commands), commands);
}

}  // namespace helio::apps
