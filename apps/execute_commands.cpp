// SPDX-License-Identifier: Apache-2.0
// helio export schedule; helio execute.
#include <CLI/CLI.hpp>

#include "ask/drawn.h"
#include "base/file.h"
#include "collective_options.h"
#include "commands.h"
#include "companion_program.h"
#include "schedule/schedule_file.h"

namespace helio::apps {
namespace {

struct ExportQuestion {
  ask::CollectiveQuestion collective = {};
  std::string out = {};
};

void add_export(CLI::App& app, Commands& commands) {
  CLI::App& all = *app.add_subcommand("export", "What was found, as a file for other programs");
  all.require_subcommand(1);
  CLI::App& command =
      *all.add_subcommand("schedule", "The moves of a collective, proven, as JSON: docs/schedule-file.md");
  auto& asked = add<ExportQuestion>(commands, command, [typed = commands.typed](auto& a) {
    ask::CollectiveQuestion question = a.question.collective;
    question.set = assignments(a.set);
    question.called = option;
    const ask::DrawnSchedule drawn = watched([&](const ask::Watch& watch) { return ask::drawn(question, watch); });
    write_file(a.question.out, schedule::schedule_text(drawn.schedule, typed), "--out", Parents::kMade);
    return a.output.json ? ask::to_json(drawn) : ask::to_text(drawn);
  });
  const CollectiveOptions options = add_collective_options(command, asked.question.collective, asked.set);
  for (CLI::Option* one : {options.kind, options.fabric, options.bytes}) one->required();
  add_path(command, "--out", asked.question.out, PathUse::kWritten, "the schedule file")->required();
  add_budget(command, asked.output);
  add_json(command, asked.output);
}

// helio links no MPI: ranks are processes of a program of its own, which reads the words.
void add_execute(CLI::App& app, Commands& commands) {
  CLI::App& command =
      *app.add_subcommand("execute", "A schedule on real ranks, under mpirun, in helio-execute: helio execute --help");
  command.prefix_command();
  command.set_help_flag();
  commands.all.push_back(
      {&command, [&command]() -> std::string { become(kExecution, command.remaining(), "helio execute"); }});
}

}  // namespace

void add_execute_commands(CLI::App& app, Commands& commands) {
  add_export(app, commands);
  add_execute(app, commands);
}

}  // namespace helio::apps
