// SPDX-License-Identifier: Apache-2.0
// How an optical averager is trained: the task, the shape of the network and everything that decides the outcome. Two trainings of
// one recipe on one kind of machine end in the same bytes, unless the schedule follows the clock (`minutes`).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "photonics/onn.h"

namespace helio::train {

enum class TrainedStructure {
  kDense,  // any matrix; compiled by SVD
  kUd,     // square blocks diag(d)·Q, exact at every step (papers/optinc.md 2.3, 2.4)
  kProj,   // any matrix, projected on such blocks after every epoch
};
std::string_view name_of(TrainedStructure structure);  // "dense", "ud", "proj"
TrainedStructure trained_structure_named(std::string_view name, std::string_view place = {});

// Components that will not be what they should: trained for by random errors of the weights (onn_model.h).
struct ComponentNoise {
  double phase_sigma = 0;     // radians, of every phase shifter
  int phase_bits = 0;         // settings of a phase over 2π as a power of two; 0: any
  double splitter_sigma = 0;  // radians, of every coupler's angle
  double mzi_loss_db = 0;     // of every MZI; a tenth of it from one to the other
  double crosstalk = 0;       // part of a phase that a shifter one pitch away sees, where nothing takes it back
  double detector_sigma = 0;  // symbols, after every linear stage
  // What an entry of an n × n rotation scatters by, as its mesh is read coherently (docs/onn-training.md, derived and measured):
  //   phases     ½·σ, whatever n; σ and a b-bit setting, uniform in ±π/2^b, in quadrature
  //   couplers   1.7·σ²·√n: to first order their errors turn into light out of phase, which is not read
  //   losses     their scatter as a part of the field, whatever n; what all paths lose alike (dummy couplers) is made up for by gain
  //   heat       2.3·crosstalk·√n
  double entry_sigma(double modes) const;
  bool none() const { return entry_sigma(1) == 0 && detector_sigma == 0; }
};

struct OnnRecipe {
  AveragingTask task;
  std::vector<int> widths;  // of the wires, the task's inputs first and its outputs last
  TrainedStructure structure = TrainedStructure::kUd;
  std::vector<int> block_layers;  // 0-based layers made of blocks (ud, proj); the others are dense
  photonics::ActivationKind activation = photonics::ActivationKind::kRelu;
  double first_gain = 1;  // of the first layer's start values: above 1 the network sees finer steps from the beginning
  ComponentNoise noise;
  std::uint64_t seed = 1;

  // The loss: squared error of a symbol, nothing within `slack`, `hard_weight` times as much beyond `hard_error`.
  double slack = 0, hard_error = 0.3, hard_weight = 5;
  int replay = 1;  // how often more an epoch shows the points whose last error was beyond hard_error

  // The schedule: cosine, in `cycles` that each start at `decay` times the rate of the one before.
  double rate = 2e-3, floor = 0.002, decay = 0.5;
  int cycles = 1;
  int batch = 512, batch_last = 512;  // doubled on the way from one to the other, within each cycle
  double averaging = 0.999;           // of the weights that are counted
  long epochs = 200;                  // 0: `minutes` alone decides
  double minutes = 0;                 // 0: no limit; else the schedule follows the clock where epochs is 0
  int count_every = 5;                // epochs
  double stop_margin = 0.5;  // stop at 0 wrong with every output this far from a wrong decision; 0.5: go on to the end

  // Throws Error(kInput) that names the option: widths that do not fit the task, a structure that does not fit the widths, …
  void check() const;
  // All that decides the outcome; `shape` the part that a checkpoint must share with whom it resumes.
  nlohmann::json words() const;
  nlohmann::json shape() const;
};

// 4-64-128-256-128-64-4 with the task's own ends.
std::vector<int> usual_widths(const AveragingTask& task);
// 0, 1, …, layers − 1.
std::vector<int> every_layer(const std::vector<int>& widths);

// The learning rate when the share `progress` in [0, 1) of the schedule is done, and the batch then.
double rate_at(const OnnRecipe& recipe, double progress);
int batch_at(const OnnRecipe& recipe, double progress);

// clamp(x, −1, 1) + 0.01·x (5.1), or relu, as the networks carry it.
photonics::Activation trained_activation(photonics::ActivationKind kind);

}  // namespace helio::train
