// SPDX-License-Identifier: Apache-2.0
// helio fred, traffic, slices: what single designs are asked.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ask/fred_route.h"
#include "ask/job_stream.h"
#include "ask/report.h"
#include "ask/slices.h"
#include "ask/traffic.h"
#include "base/error.h"
#include "commands.h"
#include "fabric/fred/fred_switch.h"
#include "option_bounds.h"
#include "option_words.h"
#include "report/json/flow_traffic.h"
#include "report/json/job_stream.h"
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
  CLI::App& traffic = *app.add_subcommand(
      "traffic", "A mixture of experts' all-to-all that changes each iteration, or flows of a trace");
  auto& asked = add<ask::TrafficQuestion>(commands, traffic, [](auto& a) {
    a.question.set = assignments(a.set);
    ask::TrafficAnswer found = watched([&](const ask::Watch& watch) { return ask::traffic(a.question, watch); });
    const auto in_words = [](auto* several) {
      if (several)
        for (auto& entry : several->entries) entry.refusal = in_options(entry.refusal);
    };
    in_words(std::get_if<pipeline::TrafficComparison>(&found));
    in_words(std::get_if<pipeline::FlowComparison>(&found));
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

  // Experts
  CLI::Option* bytes =
      traffic.add_option("--bytes", q.bytes, "of one node and iteration of the experts, such as \"64 MB\"");
  CLI::Option* seed = traffic.add_option("--seed", q.seed, "of the draws; 1 when left out")->type_name("INT");
  for (CLI::Option* of_experts :
       {traffic.add_option("--iterations", q.iterations, "how many; 8 when left out")->type_name("INT"),
        traffic.add_option("--skew", q.skew, "spread of the experts' popularity; 1 when left out, 0 is even"),
        traffic.add_option("--compute", q.compute, "time before each exchange; none when left out")})
    of_experts->needs(bytes);

  // Or flows
  CLI::Option* flows = add_path(traffic, "--flows", q.flows, PathUse::kRead,
                                "instead: a table of time, source, destination, bytes[, coflow] (docs/flow-traces.md)");
  flows->excludes(bytes)->excludes(seed);
  CLI::Option* sizes = add_path(traffic, "--sizes", q.sizes, PathUse::kRead,
                                "instead: flows between random nodes, drawn from a table of bytes and share");
  sizes->excludes(bytes)->excludes(flows);
  traffic.add_option("--count", q.count, "with --sizes: how many flows; 10000 when left out")
      ->type_name("INT")
      ->needs(sizes);
  traffic.add_option("--load", q.load, "with --sizes: part of what all nodes inject; 0.5 when left out")->needs(sizes);
  traffic.add_option("--set", asked.set, "fabric.NAME=VALUE, as often as needed")->allow_extra_args(false);
  add_budget(traffic, asked.output);
  add_json(traffic, asked.output);
}

// Events of a file, or jobs of a log; and the options that only one of them has.
struct SlicesAsked {
  ask::SlicesQuestion events;
  ask::JobsQuestion jobs;
  std::vector<const CLI::Option*> of_events = {}, of_jobs = {};

  void refuse_options_of_the_other() const {
    const bool told = !events.file.empty();
    for (const CLI::Option* option : told ? of_jobs : of_events)
      if (option->count() > 0)
        throw Error(
            ErrorKind::kUsage, told ? "this is for jobs of a log" : "this is for a file of events", option->get_name(),
            told ? "Leave it out, or give --log or --generate in place of EVENTS." : "Leave it out, or name EVENTS.");
  }
};

void add_slices(CLI::App& app, Commands& commands) {
  CLI::App& slices =
      *app.add_subcommand("slices", "Jobs that arrive and leave on ODDL's light; a cluster's log on several fabrics");
  auto& asked = add<SlicesAsked>(commands, slices, [typed = commands.typed](auto& a) {
    a.question.refuse_options_of_the_other();
    if (a.question.events.file.empty()) {
      auto found = watched([&](const ask::Watch& watch) { return ask::job_stream(a.question.jobs, watch); });
      for (auto& entry : found.entries) entry.refusal = in_options(entry.refusal);
      return a.output.json ? report::to_json(found) : report::to_text(found);
    }
    const pipeline::SliceTold told =
        watched([&](const ask::Watch& watch) { return ask::slices(a.question.events, watch); });
    if (!a.output.report.empty()) ask::write(ask::report_of(told), a.output.report, typed, "--report");
    return a.output.json ? report::to_json(told) : report::to_text(told);
  });
  ask::SlicesQuestion& q = asked.question.events;
  ask::JobsQuestion& j = asked.question.jobs;
  q.called = j.called = option;

  // A file of events
  add_path(slices, "EVENTS", q.file, PathUse::kRead, "a TOML file: docs/oddl-slices.md; or else jobs of a log");
  CLI::Option* run = slices.add_flag("--run", q.run, "let the jobs move their bytes, in the engine");
  add_integer(slices, "--runs", q.runs, "simulated of each stretch at most, 0: all; 20, or as the file says")
      ->needs(run);
  slices.add_flag("--prove", q.prove, "show that no flow of a job hangs on another job")->needs(run);
  add_report(slices, asked.output, ask::kSlicesFile,
             "write a page with a chart of the slices, and its data, into this folder");
  for (const char* name : {"--run", "--runs", "--prove", "--report"})
    asked.question.of_events.push_back(slices.get_option(name));

  // Or jobs of a log
  CLI::Option* log = add_path(slices, "--log", j.log, PathUse::kRead, "a cluster's log of jobs: docs/job-logs.md")
                         ->allow_extra_args(false);
  slices.add_option("--generate", j.generate, "so many jobs instead, drawn as Gavel draws them after Philly")
      ->type_name("INT")
      ->excludes(log);
  slices.add_option("--columns", j.columns, "of the log, where it has no line of names: pai-task")->needs(log);
  slices
      .add_option("--fabric", j.fabric,
                  "of jobs: NAME or NAME:parameter=value,..., patch-panel:setup=60s among them; oddl, two fat-trees, "
                  "patch-panel and sip-ring when left out")
      ->allow_extra_args(false);
  slices.add_option("--rate", j.rate, "of jobs: of each node; 100 Gb/s when left out");
  slices.add_option("--nodes", j.nodes, "of jobs: of the cluster; 1024 when left out")->type_name("INT");
  slices.add_option("--nodes-per-gpu", j.nodes_per_gpu, "of jobs: of ours for each GPU of the log; 1 when left out");
  slices.add_option("--jobs", j.jobs, "of jobs: the first so many of the log")->type_name("INT");
  slices.add_option(
      "--load", j.load,
      "of jobs: gaps between arrivals are stretched to this part of all nodes; as the log has them, or 0.8");
  slices.add_option("--queue", j.queue, "of jobs: fifo, or overtaking: who fits goes first; fifo when left out");
  slices.add_option("--placement", j.placement,
                    "of jobs, on links: near, runs of free nodes, or scattered; near when left out");
  slices.add_option("--seed", j.seed, "of jobs: of models that are drawn, and of generated jobs; 1 when left out")
      ->type_name("INT");
  for (const char* name : {"--log", "--generate", "--columns", "--fabric", "--rate", "--nodes", "--nodes-per-gpu",
                           "--jobs", "--load", "--queue", "--placement", "--seed"})
    asked.question.of_jobs.push_back(slices.get_option(name));
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
