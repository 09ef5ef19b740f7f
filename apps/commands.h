// SPDX-License-Identifier: Apache-2.0
// The commands of helio. Each is declared once, with its options, and comes with what it prints when it was asked for: options become a
// question, the library (src/ask) answers it.
//
//     add_… ─▶ Commands ─▶ parse ─▶ the one that was typed ─▶ run ─▶ text for standard output
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ask/front_end.h"
#include "command_line.h"
#include "path_options.h"
#include "program.h"
#include "progress.h"
#include "report/pages/folder.h"

namespace helio::apps {

struct Command {
  CLI::App* app;
  std::function<std::string()> run;  // what is printed; throws Error
};

struct Commands {
  std::string typed;  // the whole line, for pages
  std::vector<Command> all = {};
};

// In the order in which help lists them.
void add_start_commands(CLI::App& app, Commands& commands);       // new, list, describe, help
void add_experiment_commands(CLI::App& app, Commands& commands);  // collective, simulate
void add_planning_commands(CLI::App& app, Commands& commands);    // compare, plan
void add_sweep_command(CLI::App& app, Commands& commands);        // sweep
void add_evidence_commands(CLI::App& app, Commands& commands);    // reproduce, validate, fit, report
void add_design_commands(CLI::App& app, Commands& commands);      // fred, traffic, slices
void add_execute_commands(CLI::App& app, Commands& commands);     // export, execute
void add_testbed_command(CLI::App& app, Commands& commands);      // testbed
void add_onn_commands(CLI::App& app, Commands& commands);         // onn
void add_train_command(CLI::App& app, Commands& commands);        // train
void add_reference_commands(CLI::App& app, Commands& commands);   // reference, man, completion

// What helio prints for a command line; nothing where help was printed. `guard` sees the words before the command begins. Throws Error.
using CommandGuard = std::function<void(const CLI::App&)>;
std::optional<std::string> answer_to(int argc, char** argv, const CommandGuard& guard = {});

// Where an answer goes.
struct Output {
  bool json = false;
  std::string trace = {}, report = {};
  std::string report_data = {};      // the file of a report that holds the answer
  std::optional<bool> what_if = {};  // unset: on a terminal, of what took less than a second
  std::string budget = {};           // empty: no limit but the machine's memory
};
inline void add_json(CLI::App& command, Output& output) {
  command.add_flag("--json", output.json, "one JSON object on standard output");
}

inline void add_what_if(CLI::App& command, Output& output) {
  command.add_flag("--what-if,!--no-what-if", output.what_if,
                   "the three changes that would help most, from runs of their own; on a terminal of all that takes "
                   "under a second");
}

inline void add_report(CLI::App& command, Output& output, const char* data, const char* words) {
  output.report_data = data;
  add_path(command, "--report", output.report, PathUse::kWrittenFolder, words);
}
// What is in its folder already is settled before the question is asked.
inline void declare_report(const Output& output) {
  if (!output.report.empty()) report::declare_report(output.report, output.report_data, "--report");
}

// What a question may take, unless people allow more. Each part of an experiment file has a budget of its own.
inline void add_budget(CLI::App& command, Output& output) {
  output.budget = kUsualBudget;
  command
      .add_option("--budget", output.budget,
                  "processor time and memory that the question may take before it is refused: \"60 s, 8 GB\"")
      ->capture_default_str();
}
// A question as it is asked on a command line. It lives as long as its command does.
template <class Question>
struct Asked {
  Question question = {};
  std::vector<std::string> set = {};  // "path=value"
  Output output = {};
};

template <class Question>
Asked<Question>& add(Commands& commands, CLI::App& app, const std::function<std::string(Asked<Question>&)>& run) {
  const auto asked = std::make_shared<Asked<Question>>();
  if constexpr (requires { asked->question.called; }) asked->question.called = option;
  commands.all.push_back({&app, [asked, run] {
                            declare_report(asked->output);
                            return within_budget(asked->output.budget, [&] { return run(*asked); });
                          }});
  return *asked;
}

// Works under a line of progress, which is gone when it returns.
template <class Work>
auto watched(const Work& work) {
  Progress progress;
  return work(ask::Watch{
      [&](std::string_view stage) { progress.show(stage); },
      [&](std::size_t part, std::size_t parts, std::string_view name) { progress.begin(part, parts, name); }});
}

}  // namespace helio::apps
