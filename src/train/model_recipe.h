// SPDX-License-Identifier: Apache-2.0
// How a model is trained by N data-parallel servers: everything that decides the outcome. Two trainings that differ in the exchange alone
// start from the same values and see the same batches.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "train/data/examples.h"
#include "train/exchange/gradient_exchange.h"
#include "train/models/model.h"

namespace helio::train {

struct ModelRecipe {
  ModelSpec model;
  DataSpec data;
  ExchangeSpec exchange;
  int servers = 4;
  std::int64_t batch = 32;          // examples of one server's micro-batch
  double epochs = 30;               // may be a part of one
  std::uint64_t seed = 1;           // of start values and of batches
  std::string precision = "float";  // or bf16

  std::string optimiser = "sgd";  // sgd (Nesterov) or adamw
  double rate = 0.1;              // at the end of the warm-up; then a cosine down to floor · rate
  double floor = 0;
  double warmup = 1;                     // epochs
  double momentum = 0.9, second = 0.95;  // of the gradient; adamw: of its square
  double decay = 5e-4;                   // of weights; adamw: decoupled
  double smoothing = 0;                  // of labels
  double clip = 0;                       // largest norm of an averaged gradient; 0: any

  // Throws Error(kInput) that names the option.
  void check() const;
  // All that decides the outcome, for checkpoints (which must share it) and metrics.
  nlohmann::json words() const;
};

// The learning rate of step `step` of `steps`, `warm` of them warm-up.
double rate_at(const ModelRecipe& recipe, std::int64_t step, std::int64_t warm, std::int64_t steps);

}  // namespace helio::train
