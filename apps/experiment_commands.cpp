// SPDX-License-Identifier: Apache-2.0
// helio collective, simulate, reproduce, validate, fit, report.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ask/experiment.h"
#include "ask/report.h"
#include "ask/reproduce.h"
#include "ask/what_if.h"
#include "base/budget.h"
#include "base/error.h"
#include "base/file.h"
#include "collective_options.h"
#include "colour.h"
#include "commands.h"
#include "option_bounds.h"
#include "pipeline/measured/fit.h"
#include "pipeline/validate.h"
#include "report/json/json.h"
#include "report/json/trace.h"
#include "report/json/validation.h"
#include "report/text/row_text.h"

namespace helio::apps {
namespace {

void answers_go(CLI::App& command, Output& output, bool traced, const char* data, const char* report) {
  add_json(command, output);
  if (traced)
    add_path(command, "--trace", output.trace, PathUse::kWritten, "write a trace for Perfetto or chrome://tracing");
  add_report(command, output, data, report);
}

constexpr const char* kPage = "write a page with pictures and reasons, and its data, into this folder";

// What collective and simulate do with an answer.
template <class Question, class Ask>
std::string answered(const Asked<Question>& asked, const std::string& typed, const Ask& ask) {
  const Output& output = asked.output;
  Question question = asked.question;
  question.set = assignments(asked.set);
  const auto begun = std::chrono::steady_clock::now();
  const report::Look look = standard_output();
  std::string what_if;
  const ask::Answer answer = watched([&](const ask::Watch& watch) {
    ask::Answer found = ask(question, !output.trace.empty() || !output.report.empty(), watch);
    if (!output.report.empty()) ask::write(ask::report_of(found, watch), output.report, typed, "--report");
    const bool soon = std::chrono::steady_clock::now() - begun < std::chrono::seconds(1);
    if (!output.json && output.what_if.value_or(look.terminal && soon)) {
      Budget::renew();
      what_if = ask::what_if_text(found.experiment, found.results, found.jobs, watch.run_options(), look);
    }
    return found;
  });
  if (!output.trace.empty())
    write_file(output.trace, report::to_trace(answer.results, answer.jobs), "--trace", Parents::kMade);
  return output.json ? ask::to_json(answer) : ask::to_text(answer, look) + what_if;
}

void add_collective(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand("collective", "One collective on one fabric");
  auto& asked = add<ask::CollectiveQuestion>(
      commands, command, [typed = commands.typed](auto& a) { return answered(a, typed, ask::collective); });
  ask::CollectiveQuestion& q = asked.question;
  const CollectiveOptions options = add_collective_options(command, q, asked.set);
  for (CLI::Option* option : {options.kind, options.fabric, options.bytes}) option->required();
  command.add_option("--sync", q.sync, "step or dataflow: how rounds wait for each other");
  command.add_option("--engine", q.engine, "helio or simgrid");
  command.add_option("--remedy", q.remedy, "what to try when the fabric refuses: block,middle,endpoint,replace,split");
  command.add_option("--strategy", q.strategy, "MP-DP-PP, such as 2-5-2: the groups of one phase of it, all at once");
  command.add_option("--phase", q.phase, "of the strategy: mp, dp or pp");
  command.add_option("--npu", q.npu,
                     "what stands at the nodes: its memory adds what is reduced; unset: adding is free");
  command.add_flag("--verify", q.verify, "prove the schedule first");
  command.add_flag_callback(
      "--no-leap", [&asked] { asked.question.leap = false; },
      "simulate every round, also those that repeat: the same answer, later");
  add_budget(command, asked.output);
  add_what_if(command, asked.output);
  answers_go(command, asked.output, true, ask::kResultsFile, kPage);
}

void add_simulate(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand(
      "simulate", "The collectives of an experiment file, one after the other, and its jobs, side by side");
  auto& asked = add<ask::FileQuestion>(commands, command,
                                       [typed = commands.typed](auto& a) { return answered(a, typed, ask::simulate); });
  add_path(command, "EXPERIMENT", asked.question.file, PathUse::kRead, "a TOML file: docs/experiment-file.md")
      ->required();
  command.add_option("--fabric", asked.question.fabric,
                     "in place of the experiment's whole [fabric]: NAME or NAME:parameter=value,...");
  command
      .add_option("--set", asked.set,
                  "path=value: fabric.rate, algorithm.chunks, collective.NAME.bytes, job.micro_batch, job.NAME.npu; "
                  "\"fabric.k=\" unsets")
      ->allow_extra_args(false);
  command.add_flag_callback(
      "--no-leap", [&asked] { asked.question.leap = false; },
      "simulate every round, also those that repeat: the same answer, later");
  add_budget(command, asked.output);
  add_what_if(command, asked.output);
  answers_go(command, asked.output, true, ask::kResultsFile, kPage);
}

struct StudyAsked {
  std::string study = "all", log = {};
};

std::string reproduced(const Asked<StudyAsked>& asked, const std::string& typed) {
  if (!asked.question.log.empty() && asked.question.study != "oddl" && asked.question.study != "all")
    throw Error(ErrorKind::kUsage, "only the study oddl has jobs of a log", "--log", "Leave it out, or ask for oddl.");
  std::vector<report::Study> found =
      watched([&](const ask::Watch& watch) { return ask::reproduce(asked.question.study, watch, asked.question.log); });
  if (!asked.output.report.empty()) ask::write(ask::report_of(found), asked.output.report, typed, "--report");
  std::vector<report::Row> rows;
  std::vector<report::Chart> charts;
  for (report::Study& one : found) {
    std::ranges::move(one.rows, std::back_inserter(rows));
    std::ranges::move(one.charts, std::back_inserter(charts));
  }
  if (asked.output.json) return report::to_json(rows);
  const report::Look look = standard_output();
  return report::to_text(rows, look) + report::to_text(charts, look);
}

struct Measurements {
  std::string file;
  std::optional<std::string> npu = {}, fabric = {};
  std::vector<std::string> where = {};

  pipeline::Assertions assertions(const std::vector<std::string>& set) const {
    pipeline::Assertions all;
    if (npu) all.npu = Setting{*npu, "--npu"};
    if (fabric) all.fabric = Setting{*fabric, "--fabric"};
    for (const ask::Assignment& one : assignments(set))
      all.set.emplace_back(one.path, Setting{one.value, "--set " + one.path});
    for (const std::string& condition : where) all.where.push_back({condition, "--where"});
    return all;
  }
};

std::string validated(const Asked<Measurements>& asked, const std::string& typed) {
  const pipeline::Validation validation = watched([&](const ask::Watch& watch) {
    return pipeline::validate_file(asked.question.file, asked.question.assertions(asked.set), watch.run_options());
  });
  if (!asked.output.report.empty()) ask::write(ask::report_of(validation), asked.output.report, typed, "--report");
  return asked.output.json ? report::to_json(validation) : report::to_text(validation);
}

template <class Question>
void add_measurements(CLI::App& command, Asked<Question>& asked) {
  Measurements& q = asked.question;
  add_path(command, "FILE", q.file, PathUse::kRead, "a table of measured times; its columns: helio describe columns")
      ->required();
  command.add_option("--npu", q.npu, "in place of what the rows name: helio list npus");
  command.add_option("--fabric", q.fabric, "in place of the cluster on which the rows were measured");
  command
      .add_option("--set", asked.set, "fabric.NAME=VALUE or job.TABLE.NAME=VALUE, for every row, as often as needed")
      ->allow_extra_args(false);
  command
      .add_option("--where", q.where,
                  "only rows with column=value, column!=value, column>=number or column<=number, as often as needed")
      ->allow_extra_args(false);
}

struct FitQuestion : Measurements {
  pipeline::FitOptions wanted;
};

std::string fitted(const Asked<FitQuestion>& asked) {
  const FitQuestion& q = asked.question;
  const pipeline::Fit fit = watched([&](const ask::Watch& watch) {
    return pipeline::fit_file(q.file, q.wanted, q.assertions(asked.set), watch.run_options());
  });
  return asked.output.json ? report::to_json(fit) : report::to_text(fit);
}

void add_fit(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand("fit", "Constants that meet a CSV file of measurements best");
  auto& asked = add<FitQuestion>(commands, command, [](auto& a) { return fitted(a); });
  add_measurements(command, asked);
  pipeline::FitOptions& wanted = asked.question.wanted;
  command
      .add_option("--constant", wanted.constants,
                  "fabric.NAME or job.compute.NAME, as often as needed; unset: those that were fitted before")
      ->allow_extra_args(false);
  command.add_option("--leave-out", wanted.left_out,
                     "column whose values are left out, one after the other, to see the error on rows that were not "
                     "fitted");
  add_integer(command, "--evaluations", wanted.evaluations, "sets of constants that are tried at most", {.least = 1});
  add_json(command, asked.output);
}

}  // namespace

void add_experiment_commands(CLI::App& app, Commands& commands) {
  add_collective(app, commands);
  add_simulate(app, commands);
}

void add_evidence_commands(CLI::App& app, Commands& commands) {
  CLI::App& reproduce = *app.add_subcommand("reproduce", "Published numbers beside ours");
  auto& study =
      add<StudyAsked>(commands, reproduce, [typed = commands.typed](auto& a) { return reproduced(a, typed); });
  reproduce.add_option("STUDY", study.question.study, "a name that helio list studies prints, or all");
  add_path(reproduce, "--log", study.question.log, PathUse::kRead,
           "of oddl: a cluster's log of jobs in place of generated ones (docs/job-logs.md)");
  answers_go(reproduce, study.output, false, ask::kRowsFile,
             "write pages, rows.json and a CSV file for each chart into this folder");

  CLI::App& validate = *app.add_subcommand("validate", "Predictions beside a CSV file of measurements");
  auto& measured =
      add<Measurements>(commands, validate, [typed = commands.typed](auto& a) { return validated(a, typed); });
  add_measurements(validate, measured);
  answers_go(validate, measured.output, false, ask::kValidationFile,
             "write a page with the scatter and every row into this folder");

  add_fit(app, commands);

  CLI::App& saved = *app.add_subcommand("report", "The pages of a saved report again, without a new run");
  auto& folder = add<std::string>(commands, saved, [](auto& a) {
    std::string written;
    for (const std::string& file : report::rebuild_report(a.question, "DIR")) written += file + "\n";
    return written;
  });
  add_path(saved, "DIR", folder.question, PathUse::kUpdatedFolder, "a folder that --report wrote")->required();
}

}  // namespace helio::apps
