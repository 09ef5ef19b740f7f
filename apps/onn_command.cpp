// SPDX-License-Identifier: Apache-2.0
#include "onn_command.h"

#include <CLI/CLI.hpp>

#include "start_training.h"

namespace helio::apps {

struct OnnCommand::Parsed {
  CLI::App *onn = nullptr, *build = nullptr, *train = nullptr, *evaluate = nullptr, *decompose = nullptr,
           *describe = nullptr;
  bool json = false;
  OnnBuildOptions built;
  OnnEvaluateOptions evaluated;
  OnnDecomposeOptions decomposed;
  OnnDescribeOptions described;
};

OnnCommand::OnnCommand(CLI::App& app, const std::string& typed) : parsed_(std::make_unique<Parsed>()) {
  Parsed& p = *parsed_;
  p.decomposed.command = p.described.command = typed;
  p.onn = app.add_subcommand("onn", "Optical networks that average: build, train, evaluate, decompose, describe");
  p.onn->require_subcommand(1);
  const auto json = [&](CLI::App* command) {
    command->add_flag("--json", p.json, "one JSON object on standard output");
  };

  p.build = p.onn->add_subcommand("build", "An exact network by construction, saved as JSON");
  p.build->add_option("--servers", p.built.task.servers, "N, whose codes are averaged")->required();
  p.build->add_option("--bits", p.built.task.bits, "B, of a code")->required();
  p.build->add_option("--symbol-bits", p.built.task.symbol_bits, "M, of a symbol; 2, PAM4, when left out");
  p.build->add_option("--rounding", p.built.rounding, "floor, half-up (when left out), half-even or dither");
  p.build->add_option("--in-fraction", p.built.task.in_fraction,
                      "symbols below the point that arrive: a cascade's next level");
  p.build->add_option("--out-fraction", p.built.task.out_fraction,
                      "symbols below the point that leave: a cascade's first level");
  p.build->add_option("--merge", p.built.task.merge,
                      "neighbouring symbols that are added optically before the network");
  p.build->add_option("--method", p.built.method,
                      "lsb (carries from below) or msb (symbols from the top); unset: lsb where it is possible");
  p.build->add_option("--activation", p.built.activation, "relu or saturating (when left out)");
  p.build->add_option("--slope", p.built.slope, "of a step; unset: 1 for relu, 4 for saturating");
  p.build->add_option("--encoding", p.built.encoding, "amplitude (when left out) or intensity");
  p.build->add_option("--best", p.built.best,
                      "mzis, depth or margin: searched, in place of method, activation and slope");
  p.build->add_option("--out", p.built.out, "the file to write: docs/onn-file.md");
  json(p.build);

  p.train = p.onn->add_subcommand("train", "A network by training, in helio-train: helio onn train --help");
  p.train->prefix_command();
  p.train->set_help_flag();

  p.evaluate =
      p.onn->add_subcommand("evaluate", "How often a network is wrong, over all inputs unless --points is given");
  p.evaluate->add_option("FILE", p.evaluated.file, "a network: docs/onn-file.md")->required();
  p.evaluate->add_option("--points", p.evaluated.points, "random points instead of all");
  p.evaluate->add_option("--phase-error", p.evaluated.phase_error, "standard deviation of every phase, such as 3mrad");
  p.evaluate->add_option("--phase-bits", p.evaluated.phase_bits, "of a phase's setting; unset: exact");
  p.evaluate->add_option("--splitter-error", p.evaluated.splitter_error,
                         "standard deviation of every coupler's angle, such as 10mrad");
  p.evaluate->add_option("--mzi-loss", p.evaluated.mzi_loss,
                         "of one MZI, such as \"0.2 dB\"; what differs between paths stays");
  p.evaluate->add_option("--crosstalk", p.evaluated.crosstalk, "part of a phase that each neighbouring shifter sees");
  p.evaluate->add_option("--noise", p.evaluated.noise, "standard deviation after every linear stage, in symbols");
  p.evaluate->add_flag("--noisy-wires", p.evaluated.noisy_wires,
                       "the noise also on wires that a layer only passes on, which need no mesh and no detector");
  p.evaluate->add_option("--draws", p.evaluated.draws, "chips and noises to draw; 1 when left out");
  p.evaluate->add_option("--seed", p.evaluated.seed, "of the draws; 1 when left out");
  p.evaluate->add_option("--compile", p.evaluated.compilation,
                         "svd, ud or compact; unset: ud where layers are blocks, else compact");
  json(p.evaluate);

  p.decompose = p.onn->add_subcommand("decompose", "A unitary matrix as a mesh of MZIs, and how well it comes back");
  p.decompose->add_option("--modes", p.decomposed.modes, "of a random matrix");
  p.decompose->add_option("--matrix", p.decomposed.matrix, "a JSON file with the matrix instead");
  p.decompose->add_option("--layout", p.decomposed.layout, "rectangular (when left out) or triangular");
  p.decompose->add_flag("--real", p.decomposed.real, "a random orthogonal matrix");
  p.decompose->add_option("--seed", p.decomposed.seed, "of the random matrix; 1 when left out");
  p.decompose->add_option("--svg", p.decomposed.svg, "draw the mesh into this file");
  p.decompose->add_option("--report", p.decomposed.report,
                          "write a page with the mesh as a heat-map, and its data, into this folder");
  json(p.decompose);

  p.describe = p.onn->add_subcommand("describe", "What a network is and costs, and a picture of its meshes");
  p.describe->add_option("FILE", p.described.file, "a network: docs/onn-file.md")->required();
  p.describe->add_option("--compile", p.described.compilation,
                         "svd, ud or compact; unset: ud where layers are blocks, else compact");
  p.describe->add_option("--layer", p.described.layer, "draw or report this layer only, counted from 1");
  p.describe->add_option("--svg", p.described.svg, "draw the meshes into this file");
  p.describe->add_option("--report", p.described.report,
                         "write a page with the meshes as heat-maps, and its data, into this folder");
  json(p.describe);
}

OnnCommand::~OnnCommand() = default;

bool OnnCommand::asked() const { return parsed_->onn->parsed(); }

std::string OnnCommand::run() const {
  const Parsed& p = *parsed_;
  if (*p.build) return onn_build(p.built, p.json);
  if (*p.train) {
    std::vector<std::string> words = p.train->remaining();
    words.insert(words.begin(), "onn");
    start_training(std::move(words), "helio onn train");
  }
  if (*p.evaluate) return onn_evaluate(p.evaluated, p.json);
  if (*p.decompose) return onn_decompose(p.decomposed, p.json);
  return onn_describe(p.described, p.json);
}

}  // namespace helio::apps
