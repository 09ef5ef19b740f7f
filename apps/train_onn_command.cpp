// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/json_dump.h"
#include "base/units.h"
#include "base/visible.h"
#include "idle_options.h"
#include "option_bounds.h"
#include "path_options.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"
#include "photonics/onn_file.h"
#include "program.h"
#include "progress.h"
#include "train/networks/onn_training.h"
#include "train_commands.h"

namespace helio::apps {
namespace {

struct TrainOnnOptions {
  train::OnnRecipe recipe;
  train::TrainingFiles files;
  std::string structure = "ud", activation = "relu", rounding = "half-up", device = "cpu", mzi_loss, out;
  bool json = false;
};

void add_options(CLI::App& onn, TrainOnnOptions& o) {
  train::OnnRecipe& r = o.recipe;
  add_integer(onn, "--servers", r.task.servers, "N, servers that are averaged", {.least = 0})->required();
  add_integer(onn, "--bits", r.task.bits, "B, bits of a code", {.least = 0})->required();
  add_integer(onn, "--symbol-bits", r.task.symbol_bits, "M, bits of a symbol", {.least = 1})->capture_default_str();
  onn.add_option("--rounding", o.rounding, "floor, half-up, half-even or dither")->capture_default_str();
  add_integer(onn, "--in-fraction", r.task.in_fraction, "symbols below the point that arrive (level 2 of a cascade)",
              {.least = 0});
  add_integer(onn, "--out-fraction", r.task.out_fraction, "symbols below the point that leave (level 1 of a cascade)",
              {.least = 0});
  onn.add_option("--structure", o.structure, "dense, ud or proj")->capture_default_str();
  add_integer(onn, "--layers", r.widths, "wires from layer to layer, as 4,64,128,256,128,64,4");
  add_integer(onn, "--block-layers", r.block_layers, "layers made of blocks, counted from 0; default: all");
  onn.add_option("--activation", o.activation, "relu, or saturating: clamp(x,-1,1)+0.01x")->capture_default_str();
  onn.add_option("--first-gain", r.first_gain, "factor on the start values of the first layer")->capture_default_str();
  onn.add_option("--phase-error", r.noise.phase_sigma, "radians: train for phases that err by this much");
  add_integer(onn, "--phase-bits", r.noise.phase_bits, "train for phases of this many bits");
  onn.add_option("--splitter-error", r.noise.splitter_sigma, "radians: train for couplers that err by this much");
  onn.add_option("--mzi-loss", o.mzi_loss,
                 "of one MZI, such as \"0.2 dB\": train for losses that scatter by a tenth of it");
  onn.add_option("--crosstalk", r.noise.crosstalk,
                 "train for this part of a phase that a neighbouring shifter sees, not taken back");
  onn.add_option("--noise", r.noise.detector_sigma, "symbols: train for this noise after every linear stage");
  add_integer(onn, "--seed", r.seed, "of start values, order and noise")->capture_default_str();
  onn.add_option("--slack", r.slack, "error of a symbol that costs nothing")->capture_default_str();
  onn.add_option("--hard-error", r.hard_error, "error from which a point is hard")->capture_default_str();
  onn.add_option("--hard-weight", r.hard_weight, "weight of such errors in the loss")->capture_default_str();
  add_integer(onn, "--replay", r.replay, "how often more an epoch shows hard points")->capture_default_str();
  onn.add_option("--rate", r.rate, "learning rate at the start")->capture_default_str();
  add_integer(onn, "--cycles", r.cycles, "cosine cycles of the rate")->capture_default_str();
  onn.add_option("--decay", r.decay, "start of a cycle over that of the one before")->capture_default_str();
  add_integer(onn, "--batch", r.batch, "points of a step")->capture_default_str();
  add_integer(onn, "--batch-last", r.batch_last, "points of a step at the end of a cycle; default: as --batch");
  onn.add_option("--averaging", r.averaging, "share of the average of the weights that a step keeps")
      ->capture_default_str();
  add_integer(onn, "--epochs", r.epochs, "epochs; 200 where no --minutes are given");
  onn.add_option("--minutes", r.minutes, "stop after this time; without --epochs the schedule follows the clock");
  add_integer(onn, "--count-every", r.count_every, "epochs between two counts of all points")->capture_default_str();
  onn.add_option("--stop-margin", r.stop_margin, "stop at 0 wrong with this distance from a wrong decision; 0.5: never")
      ->capture_default_str();
  onn.add_option("--device", o.device, "cpu or cuda")->capture_default_str();
  add_path(onn, "--checkpoint", o.files.checkpoint, PathUse::kUpdated, "file to go on from after a kill");
  add_integer(onn, "--checkpoint-every", o.files.checkpoint_every, "epochs", {.least = 1})->capture_default_str();
  onn.add_flag("--resume", o.files.resume, "go on from --checkpoint");
  add_path(onn, "--metrics", o.files.metrics, PathUse::kUpdated, "file of JSON lines, one an epoch");
  add_path(onn, "--out", o.out, PathUse::kWritten, "file of the trained network")->required();
  onn.add_flag("--json", o.json, "print the result as one JSON object");
}

// What was not said follows from what was.
void complete(const CLI::App& onn, TrainOnnOptions& o) {
  train::OnnRecipe& r = o.recipe;
  r.task.rounding = rounding_named(o.rounding, "--rounding");
  r.structure = train::trained_structure_named(o.structure, "--structure");
  r.activation = photonics::activation_named(o.activation, "--activation");
  try {
    if (!o.mzi_loss.empty()) r.noise.mzi_loss_db = parse_decibel(o.mzi_loss).value;
  } catch (const Error& error) {
    throw error.at("--mzi-loss");
  }
  r.task.check();
  if (r.widths.empty()) r.widths = train::usual_widths(r.task);
  if (r.block_layers.empty() && r.structure != train::TrainedStructure::kDense)
    r.block_layers = train::every_layer(r.widths);
  if (onn.count("--batch-last") == 0) r.batch_last = r.batch;
  if (onn.count("--minutes") > 0 && onn.count("--epochs") == 0) r.epochs = 0;
  const bool kept = !o.files.checkpoint.empty();
  refuse_idle_options(
      onn, {{"--resume", kept, "with --checkpoint FILE"}, {"--checkpoint-every", kept, "with --checkpoint FILE"}});
}

void train_an_onn(const TrainOnnOptions& o, const std::string& command) {
  const at::Device device = train::device_named(o.device, "--device");
  train::TrainingOutcome outcome;
  {
    Progress progress;
    outcome = train::train_onn(o.recipe, device, o.files, [&](const train::TrainingNews& news) {
      const double share = news.seconds / (news.seconds + news.seconds_left);
      progress.show(fmt::format(
          "{} epoch {}  loss {:.3g}  wrong {} of {}  margin {:.3f}  {:.0f} s left", progress_bar(share), news.epoch,
          news.loss, news.wrong > news.points ? news.points : news.wrong, news.points, news.margin, news.seconds_left));
    });
  }
  outcome.onn.provenance.command = command;
  const std::string text = photonics::onn_text(outcome.onn, photonics::Packing::kFloat32);
  write_file(o.out, text, "--out");

  // What counts is what the file holds.
  const photonics::Onn saved = photonics::onn_from_text(text, o.out);
  const photonics::Evaluation counted = photonics::evaluate(saved);
  const std::set<int> blocks(o.recipe.block_layers.begin(), o.recipe.block_layers.end());
  const long mzis = photonics::mzis(o.recipe.widths, blocks, false);
  const nlohmann::ordered_json result = {{"network", o.out},
                                         {"points", counted.points},
                                         {"wrong", counted.wrong},
                                         {"wrong_fraction", counted.wrong_fraction},
                                         {"margin", counted.output_margin},
                                         {"mzis", mzis},
                                         {"epochs", outcome.epochs},
                                         {"training_s", outcome.seconds},
                                         {"device", train::describe(device)},
                                         {"seed", o.recipe.seed},
                                         {"label", "ours"}};
  print(o.json ? json_dump(result) + "\n"
               : fmt::format("{}: {} of {} points wrong, margin {:.3f} symbol, {} MZIs; {} epochs in {:.0f} s on {}\n",
                             visible(o.out), counted.wrong, counted.points, counted.output_margin, mzis, outcome.epochs,
                             outcome.seconds, train::describe(device)));
}

}  // namespace

void add_onn_training(CLI::App& app, TrainCommands& commands) {
  CLI::App* onn = app.add_subcommand("onn", "train an optical averager until it makes no mistake");
  const auto options = std::make_shared<TrainOnnOptions>();
  add_options(*onn, *options);
  commands.push_back({onn, [onn, options](const std::string& command) {
                        complete(*onn, *options);
                        train_an_onn(*options, command);
                        return true;
                      }});
}

}  // namespace helio::apps
