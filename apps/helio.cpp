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
#include "pipeline/version.h"
#include "program.h"
#include "report/text/look.h"

namespace helio::apps {
namespace {

constexpr const char* kExamples = R"(
Examples:
  helio list
  helio describe ring
  helio describe gpt3-175b
  helio collective all-reduce --fabric ring --nodes 1024 --bytes "100 MB" --algorithm ring --verify
  helio collective all-to-all --fabric switch --nodes 64 --bytes 1GiB --algorithm direct --set "fabric.rate=400 Gb/s" --json
  helio simulate examples/first_collectives.toml --report out/first
  helio simulate examples/gpt3_3d.toml --trace out/gpt3.trace.json
  helio compare all-reduce --nodes 64 --bytes 1GB --fabric switch --fabric torus --fabric optinc --injection "2.4 Tb/s"
  helio validate measured.csv
  helio fit measured.csv --where gpu=h100
  helio reproduce all --json
)";

}  // namespace

std::optional<std::string> answer_to(int argc, char** argv, const CommandGuard& guard) {
  CLI::App app("Heliograph: what does moving gradients by light, or through a wafer, really buy?", "helio");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("helio {}", pipeline::kVersion));
  app.require_subcommand(1);
  Commands commands{command_of(argc, argv)};
  add_reference_commands(app, commands);
  add_experiment_commands(app, commands);
  add_planning_commands(app, commands);
  add_sweep_command(app, commands);
  add_design_commands(app, commands);
  add_testbed_command(app, commands);
  add_execute_commands(app, commands);
  add_onn_commands(app, commands);
  add_train_command(app, commands);
  if (!parse(app, argc, argv)) return std::nullopt;
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
