// SPDX-License-Identifier: Apache-2.0
// Steps of a whole model as a handful of launches over its flat vectors (parameters.h).
//
//     sgd     v ← μ·v + g + λ·p            p ← p − η·(g + λ·p + μ·v)         Nesterov's momentum, as PyTorch has it
//     adamw   m, s: means of g and g²      p ← p − η·(m̂/(√ŝ + ε) + λ·p)      Loshchilov & Hutter 2019
//
// λ only where Parameters::decays.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "train/checkpoint.h"
#include "train/model_recipe.h"
#include "train/models/parameters.h"

namespace helio::train {

class Optimiser {
 public:
  Optimiser(const ModelRecipe& recipe, Parameters& parameters);

  // `gradient` [P] may be overwritten. Steps count from 0.
  void step(at::Tensor& gradient, std::int64_t step, double rate);

  void write(Checkpoint& checkpoint) const;
  void read(const Checkpoint& checkpoint, const std::string& path, std::string_view place);

 private:
  bool adam_;
  double momentum_, second_, decay_, clip_;
  Parameters& parameters_;
  at::Tensor mean_, square_;  // v, or m and s
  at::Tensor decayed_;        // λ where weights decay
};

}  // namespace helio::train
