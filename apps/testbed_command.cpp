// SPDX-License-Identifier: Apache-2.0
// helio testbed: real bytes between processes, along light that a switch in user space enforces.
#include <CLI/CLI.hpp>

#include "ask/report.h"
#include "ask/testbed.h"
#include "commands.h"
#include "report/json/testbed.h"

namespace helio::apps {

void add_testbed_command(CLI::App& app, Commands& commands) {
  CLI::App& command = *app.add_subcommand(
      "testbed", "Processes that exchange real bytes along light that a switch enforces, beside the simulation of it");
  auto& asked = add<ask::TestbedQuestion>(commands, command, [typed = commands.typed](auto& a) {
    a.question.set = assignments(a.set);
    const pipeline::TestbedResult result =
        watched([&](const ask::Watch& watch) { return ask::testbed(a.question, watch); });
    if (!a.output.report.empty()) ask::write(ask::report_of(result), a.output.report, typed, "--report");
    return a.output.json ? report::to_json(result) : report::to_text(result);
  });
  ask::TestbedQuestion& q = asked.question;
  q.place = "command line";
  q.algorithm = "ring";
  command.add_option("FABRIC", q.fabric, "oddl")->required();
  command.add_option("--nodes", q.nodes, "how many, 2 to 16; 4 when left out")->type_name("INT");
  command.add_option("--bytes", q.bytes, "of the gradient on each node, such as \"10 MB\"")->required();
  command.add_option("--algorithm", q.algorithm, "that adds in place: ring, halving-doubling, recursive-doubling")
      ->capture_default_str();
  command.add_option("--steps", q.steps, "exchanges of gradients; 5 when left out")->type_name("INT");
  command.add_option("--scale", q.scale, "by how much the testbed is slower than what it models; 1000 when left out");
  command.add_flag("--loopback", q.loopback, "no network namespaces, also where they are permitted");
  command.add_option("--kill", q.kill, "this node is killed amid the last step, to see what happens")->type_name("INT");
  command.add_option("--set", asked.set, "fabric.NAME=VALUE or algorithm.NAME=VALUE, as often as needed")
      ->allow_extra_args(false);
  add_report(command, asked.output, ask::kTestbedFile,
             "write a page with timelines of flows and light, and its data, into this folder");
  add_budget(command, asked.output);
  add_json(command, asked.output);
}

}  // namespace helio::apps
