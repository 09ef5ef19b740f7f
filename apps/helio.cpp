// SPDX-License-Identifier: Apache-2.0
// helio: the command. It parses options, walks them through the rooms, prints, and turns errors into one paragraph on
// stderr and a documented exit code:
//
//     0 done   2 the command line is wrong   3 an input file or value is wrong   4 infeasible   1 our fault
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "colour.h"
#include "command_line.h"
#include "complaint.h"
#include "fred_command.h"
#include "onn_command.h"
#include "pipeline/config_file.h"
#include "pipeline/iteration.h"
#include "pipeline/run.h"
#include "pipeline/version.h"
#include "plan/auto.h"
#include "progress.h"
#include "reference_command.h"
#include "report/json/json.h"
#include "report/json/trace.h"
#include "report/json/validation.h"
#include "report/pages/folder.h"
#include "report/text/job_text.h"
#include "report/text/text.h"
#include "report_command.h"
#include "reproduced.h"
#include "slices_command.h"
#include "start_training.h"
#include "studies/catalogue.h"
#include "traffic_command.h"

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
  helio validate measured.csv
  helio reproduce all --json
)";

// A question too large for the machine ends in a message, not in its swap space.
void limit_memory() {
  // Large vectors grow within the heap instead of being mapped, faulted in and unmapped anew each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#ifndef __SANITIZE_ADDRESS__
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  rlimit limit{};
  if (pages <= 0 || page <= 0 || getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t memory = static_cast<rlim_t>(pages) * static_cast<rlim_t>(page);
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < memory) return;
  limit.rlim_cur = memory;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

// Names in files are anybody's: what they hold of control characters is written, never sent to the terminal.
void print(const std::string& from_rooms) {
  const std::string text = report::inked(escaped(from_rooms));
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error(ErrorKind::kInput, "cannot write to standard output", "", "check where it goes");
}

pipeline::RunOptions run_options(Progress& progress, bool trace) {
  pipeline::RunOptions options;
  options.trace = options.picture = trace;
  options.progress = [&progress](std::string_view stage) { progress.show(stage); };
  return options;
}

struct OutputOptions {
  bool json = false;
  std::string trace = {}, report = {};
  std::string command;  // that was typed

  bool traced() const { return !trace.empty() || !report.empty(); }
};

void run_collective(const CollectiveOptions& asked, const OutputOptions& output) {
  const pipeline::Experiment experiment = pipeline::interpret(draft_of(asked));
  std::vector<pipeline::Result> results;
  {
    Progress progress;
    const pipeline::RunOptions options = run_options(progress, output.traced());
    results = plan::answer(experiment, options);
    if (!output.report.empty())
      report_results({output.report, output.command},
                     fmt::format("{} of {} on {}", asked.kind, asked.bytes, asked.fabric), experiment, results, {},
                     report::to_json(results.front()), options);
  }
  if (!output.trace.empty()) report::write_file(output.trace, report::to_trace(results), "--trace");
  print(output.json ? report::to_json(results.front()) : report::to_text(results.front(), standard_output()));
}

void run_simulate(const std::string& file, const std::vector<std::string>& set, const OutputOptions& output) {
  pipeline::Draft draft = pipeline::read_draft(file);
  apply(draft, set);
  const pipeline::Experiment experiment = pipeline::interpret(draft);
  std::vector<pipeline::Result> results;
  std::vector<pipeline::IterationResult> jobs;
  {
    Progress progress;
    const pipeline::RunOptions options = run_options(progress, output.traced());
    const std::size_t parts = experiment.collectives.size() + (experiment.jobs.empty() ? 0 : 1);
    for (const pipeline::Collective& collective : experiment.collectives) {
      progress.begin(results.size(), parts, escaped(collective.name));
      results.push_back(plan::answer(experiment, collective, options));
    }
    if (!experiment.jobs.empty()) progress.begin(parts - 1, parts, "jobs");
    if (!experiment.jobs.empty()) jobs = pipeline::run_jobs(experiment, options);
    if (!output.report.empty())
      report_results({output.report, output.command}, std::filesystem::path(file).filename().string(), experiment,
                     results, jobs, report::to_json(results, jobs, file), options);
  }
  if (!output.trace.empty()) report::write_file(output.trace, report::to_trace(results, jobs), "--trace");
  if (output.json) return print(report::to_json(results, jobs, file));
  const report::Look look = standard_output();
  if (!results.empty()) print(report::to_text(results, look) + (jobs.empty() ? "" : "\n"));
  print(report::to_text(jobs, look));
}

void run_reproduce(const std::string& study, const OutputOptions& output) {
  std::vector<report::Study> found = reproduced(study);
  if (!output.report.empty()) report_studies({output.report, output.command}, found);
  std::vector<report::Row> rows;
  std::vector<report::Chart> charts;
  for (report::Study& one : found) {
    std::ranges::move(one.rows, std::back_inserter(rows));
    std::ranges::move(one.charts, std::back_inserter(charts));
  }
  if (output.json) return print(report::to_json(rows));
  const report::Look look = standard_output();
  print(report::to_text(rows, look) + report::to_text(charts, look));
}

void run_validate(const std::string& file, const OutputOptions& output) {
  pipeline::Validation validation;
  {
    Progress progress;
    validation = pipeline::validate_file(file, run_options(progress, false));
  }
  if (!output.report.empty()) report_validation({output.report, output.command}, validation);
  print(output.json ? report::to_json(validation) : report::to_text(validation));
}

int run_command(int argc, char** argv) {
  CLI::App app("Heliograph: what does moving gradients by light, or through a wafer, really buy?", "helio");
  app.footer(kExamples);
  app.set_version_flag("--version", fmt::format("helio {}", pipeline::kVersion));
  app.require_subcommand(1);
  OutputOptions output{.command = command_of(argc, argv)};

  const auto answers_go = [&output](CLI::App& command, bool traced, const char* report) {
    command.add_flag("--json", output.json, "one JSON object on standard output");
    if (traced) command.add_option("--trace", output.trace, "write a trace for Perfetto or chrome://tracing");
    command.add_option("--report", output.report, report);
  };

  const ReferenceCommand reference(app);

  CollectiveOptions asked;
  CLI::App* collective = app.add_subcommand("collective", "One collective on one fabric");
  collective->footer(kExamples);
  declare(*collective, asked);
  answers_go(*collective, true, "write a page with pictures and reasons, and its data, into this folder");

  std::string file;
  std::vector<std::string> set;
  CLI::App* simulate = app.add_subcommand(
      "simulate", "The collectives of an experiment file, one after the other, and its jobs, side by side");
  simulate->add_option("EXPERIMENT", file, "a TOML file: docs/experiment-file.md")->required();
  simulate
      ->add_option("--set", set,
                   "path=value: fabric.rate, algorithm.chunks, collective.NAME.bytes, job.micro_batch, job.NAME.npu")
      ->allow_extra_args(false);
  answers_go(*simulate, true, "write a page with pictures and reasons, and its data, into this folder");

  std::string study = "all";
  CLI::App* reproduce = app.add_subcommand("reproduce", "Published numbers beside ours");
  reproduce->add_option("STUDY", study, "a name that helio list studies prints, or all");
  answers_go(*reproduce, false, "write pages, rows.json and a CSV file for each chart into this folder");

  std::string measured;
  CLI::App* validate = app.add_subcommand("validate", "Predictions beside a CSV file of measurements");
  validate->add_option("FILE", measured, "training iterations or nccl-tests: docs/compute-model.md names the columns")
      ->required();
  answers_go(*validate, false, "write a page with the scatter and every row into this folder");

  std::string saved;
  CLI::App* report_command = app.add_subcommand("report", "The pages of a saved report again, without a new run");
  report_command->add_option("DIR", saved, "a folder that --report wrote")->required();

  FredRouteOptions routed;
  CLI::App* fred = app.add_subcommand("fred", "The FRED switch alone");
  fred->require_subcommand(1);
  CLI::App* fred_route_command =
      fred->add_subcommand("route", "Concurrent flows through Fred_m(P), or the proof that they block");
  fred_route_command->add_option("--ports", routed.ports, "P: ports on each side")->required();
  fred_route_command->add_option("--middle", routed.middle, "m: middle switches; 3, the paper's, when left out");
  fred_route_command->add_option("--groups", routed.groups, "all-reduce groups of ports, such as \"0,3,6;1,4,9\"");
  fred_route_command->add_option("--flows", routed.flows, "a JSON file of flows with their inputs and outputs");
  fred_route_command->add_option("--svg", routed.svg, "draw the configured switch into this file");
  fred_route_command->add_flag("--json", output.json, "one JSON object on standard output");

  TrafficOptions experts;
  CLI::App* traffic_command =
      app.add_subcommand("traffic", "A mixture of experts' all-to-all that changes each iteration");
  traffic_command
      ->add_option("--fabric", experts.fabric,
                   "who carries it, NAME or NAME:parameter=value,...; several are compared (docs/traffic.md)")
      ->required()
      ->allow_extra_args(false);
  traffic_command->add_option("--rate", experts.rate,
                              "compared fabrics: of each node, such as \"100 Gb/s\"; the first fabric's when left out");
  traffic_command->add_option("--nodes", experts.nodes, "how many nodes; the same as --set fabric.nodes=N");
  traffic_command->add_option("--bytes", experts.bytes, "of one node and iteration, such as \"64 MB\"")->required();
  traffic_command->add_option("--iterations", experts.iterations, "how many; 8 when left out");
  traffic_command->add_option("--skew", experts.skew, "spread of the experts' popularity; 1 when left out, 0 is even");
  traffic_command->add_option("--seed", experts.seed, "of the draws; 1 when left out");
  traffic_command->add_option("--compute", experts.compute, "time before each exchange; none when left out");
  traffic_command->add_option("--set", experts.set, "fabric.NAME=VALUE, as often as needed")->allow_extra_args(false);
  traffic_command->add_flag("--json", output.json, "one JSON object on standard output");

  SlicesOptions sliced{.command = output.command};
  CLI::App* slices_command = app.add_subcommand("slices", "Jobs that arrive, grow, fail and leave on ODDL's light");
  slices_command->add_option("EVENTS", sliced.path, "a TOML file: docs/oddl-slices.md")->required();
  CLI::Option* sliced_run =
      slices_command->add_flag("--run", sliced.run, "let the jobs move their bytes, in the engine");
  slices_command
      ->add_option("--runs", sliced.runs, "simulated of each stretch at most, 0: all; 20, or as the file says")
      ->needs(sliced_run);
  slices_command->add_flag("--prove", sliced.prove, "show that no flow of a job hangs on another job")
      ->needs(sliced_run);
  slices_command->add_option("--report", sliced.report,
                             "write a page with a chart of the slices, and its data, into this folder");
  slices_command->add_flag("--json", output.json, "one JSON object on standard output");

  const OnnCommand onn(app, output.command);

  CLI::App* train =
      app.add_subcommand("train", "A model whose gradients go through a network, in helio-train: helio train --help");
  train->prefix_command();
  train->set_help_flag();

  if (const std::optional<int> done = parse(app, argc, argv)) return *done;
  if (reference.asked()) print(reference.run(standard_output()));
  if (*collective) run_collective(asked, output);
  if (*simulate) run_simulate(file, set, output);
  if (*reproduce) run_reproduce(study, output);
  if (*validate) run_validate(measured, output);
  if (*report_command) print(rebuild(saved));
  if (*fred_route_command) print(fred_route(routed, output.json));
  if (*traffic_command) print(traffic(experts, output.json));
  if (onn.asked()) print(onn.run());
  if (*train) {
    std::vector<std::string> words = train->remaining();
    words.insert(words.begin(), "model");
    start_training(std::move(words), "helio train");
  }
  if (*slices_command) print(slices(sliced, output.json));
  return 0;
}

}  // namespace
}  // namespace helio::apps

int main(int argc, char** argv) {
  const auto complain = [](int code, std::string what, const std::string& where, const helio::Advice& advice) {
    return helio::apps::complain("helio", code, std::move(what), where, advice);
  };
  try {
    helio::apps::limit_memory();
    return helio::apps::run_command(argc, argv);
  } catch (const helio::Error& error) {
    return complain(exit_code(error.kind()), error.message(), error.place(), error.advice());
  } catch (const std::bad_alloc&) {
    return complain(exit_code(helio::ErrorKind::kInfeasible), "this needs more memory than the machine has", "",
                    "ask for fewer nodes or micro-batches, or for an algorithm with fewer moves");
  } catch (const std::length_error&) {
    return complain(exit_code(helio::ErrorKind::kInfeasible), "this needs more memory than any machine has", "",
                    "ask for fewer nodes, or for an algorithm with fewer moves");
  } catch (const std::exception& error) {
    return complain(1, std::string("our fault, not yours: ") + error.what(), "", "please report the command line");
  }
}
