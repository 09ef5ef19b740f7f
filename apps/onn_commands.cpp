// SPDX-License-Identifier: Apache-2.0
// helio onn build, train, evaluate, decompose, describe; helio train.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "ask/onn.h"
#include "ask/report.h"
#include "base/error.h"
#include "commands.h"
#include "companion_program.h"
#include "option_bounds.h"

namespace helio::apps {
namespace {

constexpr const char* kCompileWords =
    "svd, ud, compact or tree; unset: ud or tree where layers are made so, else compact";

// What all of them do with an answer.
template <class Question>
std::string answered(const Asked<Question>& asked, const std::string& typed,
                     ask::OnnAnswer (*ask)(const Question& question)) {
  const ask::OnnAnswer answer = ask(asked.question);
  if (!asked.output.report.empty()) ask::write(answer.report, asked.output.report, typed, "--report");
  return asked.output.json ? answer.to_json() : answer.text;
}

// The command that builds it again.
std::string command_of(const ask::OnnBuildQuestion& question) {
  const AveragingTask& task = question.task;
  const ask::OnnBuildQuestion usual;
  std::string command = fmt::format("helio onn build --servers {} --bits {}", task.servers, task.bits);
  const auto add = [&](const char* name, const auto& value, const auto& left_out) {
    if (value != left_out) command += fmt::format(" {} {}", name, value);
  };
  add("--symbol-bits", task.symbol_bits, usual.task.symbol_bits);
  add("--rounding", question.rounding, usual.rounding);
  add("--in-fraction", task.in_fraction, 0);
  add("--out-fraction", task.out_fraction, 0);
  add("--merge", task.merge, 1);
  add("--encoding", question.encoding, usual.encoding);
  add("--method", question.method.value_or(""), std::string());
  add("--activation", question.activation.value_or(""), std::string());
  if (question.slope) command += fmt::format(" --slope {}", *question.slope);
  add("--best", question.best, std::string());
  add("--chip", question.chip, std::string());
  return command;
}

void add_build(CLI::App& onn, Commands& commands) {
  CLI::App& command = *onn.add_subcommand("build", "An exact network by construction, saved as JSON");
  auto& asked = add<ask::OnnBuildQuestion>(commands, command, [typed = commands.typed](auto& a) {
    a.question.command = command_of(a.question);
    return answered(a, typed, ask::onn_build);
  });
  ask::OnnBuildQuestion& q = asked.question;
  add_integer(command, "--servers", q.task.servers, "N, whose codes are averaged", {.least = 0})->required();
  add_integer(command, "--bits", q.task.bits, "B, of a code", {.least = 0})->required();
  add_integer(command, "--symbol-bits", q.task.symbol_bits, "M, of a symbol; 2, PAM4, when left out", {.least = 1});
  command.add_option("--rounding", q.rounding, "floor, half-up (when left out), half-even or dither");
  add_integer(command, "--in-fraction", q.task.in_fraction,
              "symbols below the point that arrive: a cascade's next level", {.least = 0});
  add_integer(command, "--out-fraction", q.task.out_fraction,
              "symbols below the point that leave: a cascade's first level", {.least = 0});
  add_integer(command, "--merge", q.task.merge, "neighbouring symbols that are added optically before the network",
              {.least = 1});
  command.add_option(
      "--method", q.method,
      "lsb (carries from below), msb (symbols from the top) or thermometer (carries from below, every number "
      "as a row of wires); unset: lsb where it is possible");
  command.add_option("--activation", q.activation, "relu or saturating (when left out)");
  command.add_option("--slope", q.slope, "of a step; unset: 1 for relu, 4 for saturating, 16 for thermometers");
  command.add_option("--encoding", q.encoding, "amplitude (when left out) or intensity");
  command.add_option("--best", q.best, "mzis, depth or margin: searched, in place of method, activation and slope");
  command.add_option("--chip", q.chip,
                     "built for this chip (default) and tried on one of them: thermometers, in trees of MZIs");
  add_path(command, "--out", q.out, PathUse::kWritten, "the file to write: docs/onn-file.md");
  add_budget(command, asked.output);
  add_json(command, asked.output);
}

void add_evaluate(CLI::App& onn, Commands& commands) {
  CLI::App& command =
      *onn.add_subcommand("evaluate", "How often a network is wrong, over all inputs unless --points is given");
  auto& asked = add<ask::OnnEvaluateQuestion>(
      commands, command, [typed = commands.typed](auto& a) { return answered(a, typed, ask::onn_evaluate); });
  ask::OnnEvaluateQuestion& q = asked.question;
  add_path(command, "FILE", q.file, PathUse::kRead, "a network: docs/onn-file.md")->required();
  add_integer(command, "--points", q.points, "random points instead of all");
  command.add_option("--phase-error", q.phase_error, "standard deviation of every phase, such as 3mrad");
  add_integer(command, "--phase-bits", q.phase_bits, "of a phase's setting; unset: exact", {.least = 0});
  command.add_option("--splitter-error", q.splitter_error,
                     "standard deviation of every coupler's angle, such as 10mrad");
  command.add_option("--mzi-loss", q.mzi_loss, "of one MZI, such as \"0.2 dB\"; what differs between paths stays");
  command.add_option("--crosstalk", q.crosstalk, "part of a phase that each neighbouring shifter sees");
  command.add_option("--noise", q.noise, "standard deviation after every linear stage, in symbols");
  command.add_flag("--noisy-wires", q.noisy_wires,
                   "the noise also on wires that a layer only passes on, which need no mesh and no detector");
  command.add_option("--chip", q.chip,
                     "all imperfections of this chip (default) together, after calibration of phases, gains and "
                     "thresholds; those that are given replace its own");
  add_integer(command, "--chips", q.chips, "how many of them to make; 1 when left out");
  command.add_option("--chip-scale", q.chip_scale, "every imperfection of the chip times this, such as 0.5");
  command.add_flag("--uncalibrated", q.uncalibrated,
                   "the chip before calibration: each shifter set with the others cold, gains and thresholds as drawn");
  add_integer(command, "--draws", q.draws,
              "chips and noises to draw, 1 when left out; with --chip noises on each chip, 4 when left out");
  add_integer(command, "--seed", q.seed, "of the draws; 1 when left out");
  command.add_option("--compile", q.compile, kCompileWords);
  add_json(command, asked.output);
}

void add_decompose(CLI::App& onn, Commands& commands) {
  CLI::App& command =
      *onn.add_subcommand("decompose", "A unitary matrix as a mesh of MZIs, and how well it comes back");
  auto& asked = add<ask::OnnDecomposeQuestion>(commands, command, [typed = commands.typed](auto& a) {
    a.question.report = !a.output.report.empty();
    return answered(a, typed, ask::onn_decompose);
  });
  ask::OnnDecomposeQuestion& q = asked.question;
  add_integer(command, "--modes", q.modes, "of a random matrix");
  add_path(command, "--matrix", q.matrix, PathUse::kRead, "a JSON file with the matrix instead");
  command.add_option("--layout", q.layout, "rectangular (when left out) or triangular");
  command.add_flag("--real", q.real, "a random orthogonal matrix");
  add_integer(command, "--seed", q.seed, "of the random matrix; 1 when left out");
  add_path(command, "--svg", q.svg, PathUse::kWritten, "draw the mesh into this file");
  add_report(command, asked.output, ask::kOnnFile,
             "write a page with the mesh as a heat-map, and its data, into this folder");
  add_json(command, asked.output);
}

void add_describe(CLI::App& onn, Commands& commands) {
  CLI::App& command = *onn.add_subcommand("describe", "What a network is and costs, and a picture of its meshes");
  auto& asked = add<ask::OnnDescribeQuestion>(commands, command, [typed = commands.typed](auto& a) {
    a.question.report = !a.output.report.empty();
    return answered(a, typed, ask::onn_describe);
  });
  ask::OnnDescribeQuestion& q = asked.question;
  add_path(command, "FILE", q.file, PathUse::kRead, "a network: docs/onn-file.md")->required();
  command.add_option("--compile", q.compile, kCompileWords);
  add_integer(command, "--layer", q.layer, "draw or report this layer only, counted from 1");
  add_path(command, "--svg", q.svg, PathUse::kWritten, "draw the meshes into this file");
  add_report(command, asked.output, ask::kOnnFile,
             "write a page with the meshes as heat-maps, and its data, into this folder");
  add_json(command, asked.output);
}

// helio links no libtorch: what trains is a program of its own.
const CompanionProgram kTraining{"helio-train", "HELIO_TRAIN", "training", "install libtorch-dev and build again"};

// A command whose words helio-train reads, after `first`.
void add_training(CLI::App& app, Commands& commands, const char* words, const char* first, const std::string& place) {
  CLI::App& command = *app.add_subcommand("train", words);
  command.prefix_command();
  command.set_help_flag();
  commands.all.push_back({&command, [&command, first, place]() -> std::string {
                            std::vector<std::string> rest = command.remaining();
                            rest.insert(rest.begin(), first);
                            become(kTraining, std::move(rest), place);
                          }});
}

}  // namespace

void add_onn_commands(CLI::App& app, Commands& commands) {
  CLI::App& onn =
      *app.add_subcommand("onn", "Optical networks that average: build, train, evaluate, decompose, describe");
  onn.require_subcommand(1);
  add_build(onn, commands);
  add_training(onn, commands, "A network by training, in helio-train: helio onn train --help", "onn",
               "helio onn train");
  add_evaluate(onn, commands);
  add_decompose(onn, commands);
  add_describe(onn, commands);
}

void add_train_command(CLI::App& app, Commands& commands) {
  add_training(app, commands, "A model whose gradients go through a network, in helio-train: helio train --help",
               "model", "helio train");
}

}  // namespace helio::apps
