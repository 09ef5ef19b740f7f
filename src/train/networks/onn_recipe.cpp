// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/error.h"
#include "photonics/averaging_grid.h"

namespace helio::train {
namespace {

constexpr std::array<std::string_view, 3> kStructures{"dense", "ud", "proj"};
constexpr double kWarm = 0.01;        // share of a cycle in which the rate rises from 0
constexpr double kLossScatter = 0.1;  // of an MZI's loss, as on a chip (photonics/onn_chip.h)

Error wrong(std::string what, std::string place, std::string advice = {}) {
  return Error(ErrorKind::kInput, std::move(what), std::move(place), std::move(advice));
}

void within(double value, double low, double high, const char* option) {
  if (!(value >= low && value <= high))
    throw wrong(fmt::format("{} is not within {} and {}", value, low, high), option);
}

// Which cycle the schedule is in, and how far.
std::pair<int, double> cycle_at(const OnnRecipe& recipe, double progress) {
  const double at = std::clamp(progress, 0.0, 1.0) * recipe.cycles;
  const int cycle = std::min(static_cast<int>(at), recipe.cycles - 1);
  return {cycle, at - cycle};
}

}  // namespace

std::string_view name_of(TrainedStructure structure) { return kStructures[static_cast<std::size_t>(structure)]; }

TrainedStructure trained_structure_named(std::string_view name, std::string_view place) {
  const auto found = std::ranges::find(kStructures, name);
  if (found == kStructures.end())
    throw unknown_name("structure", name, {kStructures.begin(), kStructures.end()}, std::string(place));
  return static_cast<TrainedStructure>(found - kStructures.begin());
}

double ComponentNoise::entry_sigma(double modes) const {
  const double setting = phase_bits > 0 ? std::numbers::pi / std::exp2(phase_bits) / std::sqrt(3.0) : 0;
  const double couplers = 1.7 * splitter_sigma * splitter_sigma * std::sqrt(modes);
  const double losses = kLossScatter * mzi_loss_db * std::numbers::ln10 / 20, heat = 2.3 * crosstalk * std::sqrt(modes);
  return std::hypot(std::hypot(0.5 * phase_sigma, 0.5 * setting, couplers), losses, heat);
}

std::vector<int> usual_widths(const AveragingTask& task) {
  return {task.lights(), 64, 128, 256, 128, 64, task.outputs()};
}

std::vector<int> every_layer(const std::vector<int>& widths) {
  std::vector<int> layers(widths.empty() ? 0 : widths.size() - 1);
  std::iota(layers.begin(), layers.end(), 0);
  return layers;
}

void OnnRecipe::check() const {
  task.check();
  // The grid is enumerated at every count and lives in memory.
  if (photonics::Grid(task).size() > 2e7)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("{:.3g} points are too many to train on", photonics::Grid(task).size()),
                "--servers, --bits", "Train the blocks of a cascade, or construct the network");

  // Widths, and blocks that fit them.
  if (widths.size() < 2) throw wrong("a network needs the wires that enter and those that leave", "--layers");
  for (int width : widths) within(width, 1, 4096, "--layers");
  if (widths.front() != task.lights() || widths.back() != task.outputs())
    throw wrong(fmt::format("layers from {} to {} wires where {} sums enter and {} symbols leave", widths.front(),
                            widths.back(), task.lights(), task.outputs()),
                "--layers");
  if (structure == TrainedStructure::kDense && !block_layers.empty())
    throw wrong("a dense network has no layers made of blocks", "--block-layers", "Use --structure ud or proj");
  if (structure != TrainedStructure::kDense && block_layers.empty())
    throw wrong(fmt::format("the structure {} needs layers made of blocks", name_of(structure)), "--block-layers");
  for (int layer : block_layers) {
    if (layer < 0 || layer + 1 >= static_cast<int>(widths.size()))
      throw wrong(fmt::format("there is no layer {}", layer), "--block-layers",
                  fmt::format("Layers are 0 to {}", widths.size() - 2));
    const auto [small, large] =
        std::minmax(widths[static_cast<std::size_t>(layer)], widths[static_cast<std::size_t>(layer) + 1]);
    if (large % small != 0)
      throw wrong(
          fmt::format("the structure {} does not fit layer {}: {} wires are no multiple of {}, so square blocks "
                      "do not fill it",
                      name_of(structure), layer, large, small),
          "--layers", "Change the widths, or leave the layer dense with --block-layers");
  }
  if (activation == photonics::ActivationKind::kNone)
    throw wrong("a network without non-linear elements cannot round", "--activation", "Use relu or saturating");

  // Numbers.
  const double none = std::numeric_limits<double>::infinity();
  within(first_gain, 1e-3, 1e3, "--first-gain");
  within(noise.phase_sigma, 0, 1, "--phase-error");
  within(noise.phase_bits, 0, 30, "--phase-bits");
  within(noise.splitter_sigma, 0, 1, "--splitter-error");
  within(noise.mzi_loss_db, 0, 100, "--mzi-loss");
  within(noise.crosstalk, 0, 1, "--crosstalk");
  within(noise.detector_sigma, 0, 1, "--noise");
  within(slack, 0, 0.49, "--slack");
  within(hard_error, 0, 1, "--hard-error");
  within(hard_weight, 0, 1e6, "--hard-weight");
  within(replay, 0, 100, "--replay");
  within(rate, 1e-12, 1e30, "--rate");
  within(decay, 0, 1, "--decay");
  within(cycles, 1, 1000, "--cycles");
  within(batch, 1, 1 << 20, "--batch");
  within(batch_last, batch, 1 << 20, "--batch-last");
  within(averaging, 0, 0.999999, "--averaging");
  within(static_cast<double>(epochs), 0, 1e9, "--epochs");
  within(minutes, 0, none, "--minutes");
  if (epochs == 0 && minutes == 0) throw wrong("nothing says when to stop", "--epochs", "Give --epochs or --minutes");
  within(count_every, 1, 1e9, "--count-every");
  within(stop_margin, 0, 0.5, "--stop-margin");
}

nlohmann::json OnnRecipe::shape() const {
  return {{"servers", task.servers},
          {"bits", task.bits},
          {"symbol_bits", task.symbol_bits},
          {"rounding", name_of(task.rounding)},
          {"in_fraction", task.in_fraction},
          {"out_fraction", task.out_fraction},
          {"merge", task.merge},
          {"layers", widths},
          {"structure", name_of(structure)},
          {"block_layers", block_layers},
          {"activation", photonics::name_of(activation)}};
}

nlohmann::json OnnRecipe::words() const {
  nlohmann::json words = shape();
  words.update({{"first_gain", first_gain},
                {"phase_error", noise.phase_sigma},
                {"phase_bits", noise.phase_bits},
                {"splitter_error", noise.splitter_sigma},
                {"mzi_loss_db", noise.mzi_loss_db},
                {"crosstalk", noise.crosstalk},
                {"noise", noise.detector_sigma},
                {"seed", seed},
                {"slack", slack},
                {"hard_error", hard_error},
                {"hard_weight", hard_weight},
                {"replay", replay},
                {"rate", rate},
                {"floor", floor},
                {"decay", decay},
                {"cycles", cycles},
                {"batch", batch},
                {"batch_last", batch_last},
                {"averaging", averaging},
                {"epochs", epochs},
                {"minutes", minutes},
                {"count_every", count_every},
                {"stop_margin", stop_margin}});
  return words;
}

double rate_at(const OnnRecipe& recipe, double progress) {
  const auto [cycle, at] = cycle_at(recipe, progress);
  const double top = recipe.rate * std::pow(recipe.decay, cycle), low = recipe.rate * recipe.floor;
  const double rise = std::min(1.0, (at + kWarm / 10) / kWarm);
  return rise * (low + (std::max(top, low) - low) * 0.5 * (1 + std::cos(std::numbers::pi * at)));
}

int batch_at(const OnnRecipe& recipe, double progress) {
  const double doublings = std::log2(static_cast<double>(recipe.batch_last) / recipe.batch);
  const int steps = static_cast<int>(std::floor(doublings + 1e-9)) + 1;  // sizes on the way
  const int step = std::min(steps - 1, static_cast<int>(cycle_at(recipe, progress).second * steps));
  return recipe.batch << step;
}

photonics::Activation trained_activation(photonics::ActivationKind kind) {
  if (kind == photonics::ActivationKind::kSaturating) return {kind, -1, 1, 0.01};
  return {kind};
}

}  // namespace helio::train
