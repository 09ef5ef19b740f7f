// SPDX-License-Identifier: Apache-2.0
// helio: the command. It parses options, asks the library, prints, and turns errors into one paragraph on stderr and a documented
// exit code:
//
//     0 done   2 the command line is wrong   3 an input file or value is wrong   4 infeasible   1 our fault
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "colour.h"
#include "command_line.h"
#include "commands.h"
#include "help.h"
#include "pipeline/version.h"
#include "program.h"
#include "report/text/look.h"

namespace helio::apps {

std::optional<std::string> answer_to(int argc, char** argv, const CommandGuard& guard) {
  CLI::App app(
      "Heliograph: how fast is training on this network, what holds it up, and what would another network buy?",
      "helio");
  app.set_version_flag("--version", fmt::format("helio {}", pipeline::kVersion));
  app.require_subcommand(1);
  Commands commands{command_of(argc, argv)};
  add_start_commands(app, commands);
  add_experiment_commands(app, commands);
  add_planning_commands(app, commands);
  add_sweep_command(app, commands);
  add_evidence_commands(app, commands);
  add_design_commands(app, commands);
  add_testbed_command(app, commands);
  add_execute_commands(app, commands);
  add_onn_commands(app, commands);
  add_train_command(app, commands);
  add_reference_commands(app, commands);
  end_help(app);
  take_names_in_any_case(app);
  if (!parse(app, without_help_word(argc, argv))) return std::nullopt;
  if (guard) guard(app);
  for (const Command& command : commands.all)
    if (command.app->parsed() && command.app->get_subcommands().empty()) return command.run();
  return std::nullopt;
}

}  // namespace helio::apps

int main(int argc, char** argv) {
  return helio::apps::run_program(
      {.name = "helio", .smaller = "ask for fewer nodes or micro-batches, or for an algorithm with fewer moves"}, [&] {
        if (const auto answer = helio::apps::answer_to(argc, argv))
          helio::apps::print_bytes(helio::report::inked(*answer, helio::apps::standard_output()));
        return 0;
      });
}
