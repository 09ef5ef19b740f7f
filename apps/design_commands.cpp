// SPDX-License-Identifier: Apache-2.0
// helio fred, traffic, slices: what single designs are asked.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <variant>

#include "ask/fred_route.h"
#include "ask/report.h"
#include "ask/slices.h"
#include "ask/traffic.h"
#include "commands.h"
#include "fabric/fred/fred_switch.h"
#include "option_bounds.h"
#include "option_words.h"
#include "report/json/slices.h"
#include "report/json/traffic.h"

namespace helio::apps {
namespace {

constexpr std::uint64_t kMostPorts = fabric::FredSwitch::kMostPorts;

void add_fred(CLI::App& app, Commands& commands) {
  CLI::App& fred = *app.add_subcommand("fred", "The FRED switch alone");
  fred.require_subcommand(1);
  CLI::App& route = *fred.add_subcommand("route", "Concurrent flows through Fred_m(P), or the proof that they block");
  auto& asked = add<ask::FredQuestion>(commands, route, [](auto& a) {
    const ask::FredRoute found = ask::fred_route(a.question);
    return a.output.json ? report::to_json(found) : report::to_text(found);
  });
  ask::FredQuestion& q = asked.question;
  add_integer(route, "--ports", q.ports, "P: ports on each side", {.least = 0, .most = kMostPorts})->required();
  add_integer(route, "--middle", q.middle, "m: middle switches; 3, the paper's, when left out",
              {.least = 0, .most = kMostPorts});
  route.add_option("--groups", q.groups, "all-reduce groups of ports, such as \"0,3,6;1,4,9\"");
  add_path(route, "--flows", q.flows, PathUse::kRead, "a JSON file of flows with their inputs and outputs");
  add_path(route, "--svg", q.svg, PathUse::kWritten, "draw the configured switch into this file");
  add_budget(route, asked.output);
  add_json(route, asked.output);
}

void add_traffic(CLI::App& app, Commands& commands) {
  CLI::App& traffic = *app.add_subcommand("traffic", "A mixture of experts' all-to-all that changes each iteration");
  auto& asked = add<ask::TrafficQuestion>(commands, traffic, [](auto& a) {
    a.question.set = assignments(a.set);
    ask::TrafficAnswer found = watched([&](const ask::Watch& watch) { return ask::traffic(a.question, watch); });
    if (auto* several = std::get_if<pipeline::TrafficComparison>(&found))
      for (auto& entry : several->entries) entry.refusal = in_options(entry.refusal);
    return std::visit(
        [&](const auto& answer) { return a.output.json ? report::to_json(answer) : report::to_text(answer); }, found);
  });
  ask::TrafficQuestion& q = asked.question;
  q.place = "command line";
  traffic
      .add_option("--fabric", q.fabric,
                  "who carries it, NAME or NAME:parameter=value,...; several are compared (docs/traffic.md)")
      ->required()
      ->allow_extra_args(false);
  traffic.add_option("--rate", q.rate,
                     "compared fabrics: of each node, such as \"100 Gb/s\"; the first fabric's when left out");
  traffic.add_option("--nodes", q.nodes, "how many nodes; the same as --set fabric.nodes=N")->type_name("INT");
  traffic.add_option("--bytes", q.bytes, "of one node and iteration, such as \"64 MB\"")->required();
  traffic.add_option("--iterations", q.iterations, "how many; 8 when left out")->type_name("INT");
  traffic.add_option("--skew", q.skew, "spread of the experts' popularity; 1 when left out, 0 is even");
  traffic.add_option("--seed", q.seed, "of the draws; 1 when left out")->type_name("INT");
  traffic.add_option("--compute", q.compute, "time before each exchange; none when left out");
  traffic.add_option("--set", asked.set, "fabric.NAME=VALUE, as often as needed")->allow_extra_args(false);
  add_budget(traffic, asked.output);
  add_json(traffic, asked.output);
}

void add_slices(CLI::App& app, Commands& commands) {
  CLI::App& slices = *app.add_subcommand("slices", "Jobs that arrive, grow, fail and leave on ODDL's light");
  auto& asked = add<ask::SlicesQuestion>(commands, slices, [typed = commands.typed](auto& a) {
    const pipeline::SliceTold told = watched([&](const ask::Watch& watch) { return ask::slices(a.question, watch); });
    if (!a.output.report.empty()) ask::write(ask::report_of(told), a.output.report, typed, "--report");
    return a.output.json ? report::to_json(told) : report::to_text(told);
  });
  ask::SlicesQuestion& q = asked.question;
  add_path(slices, "EVENTS", q.file, PathUse::kRead, "a TOML file: docs/oddl-slices.md")->required();
  CLI::Option* run = slices.add_flag("--run", q.run, "let the jobs move their bytes, in the engine");
  add_integer(slices, "--runs", q.runs, "simulated of each stretch at most, 0: all; 20, or as the file says")
      ->needs(run);
  slices.add_flag("--prove", q.prove, "show that no flow of a job hangs on another job")->needs(run);
  add_report(slices, asked.output, ask::kSlicesFile,
             "write a page with a chart of the slices, and its data, into this folder");
  add_budget(slices, asked.output);
  add_json(slices, asked.output);
}

}  // namespace

void add_design_commands(CLI::App& app, Commands& commands) {
  add_fred(app, commands);
  add_traffic(app, commands);
  add_slices(app, commands);
}

}  // namespace helio::apps
