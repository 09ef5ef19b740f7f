// SPDX-License-Identifier: Apache-2.0
#include "train/optimiser.h"

#include <ATen/ATen.h>

#include <cmath>

namespace helio::train {
namespace {
constexpr double kEpsilon = 1e-8;
}

Optimiser::Optimiser(const ModelRecipe& recipe, Parameters& parameters)
    : adam_(recipe.optimiser == "adamw"),
      momentum_(recipe.momentum),
      second_(recipe.second),
      decay_(recipe.decay),
      clip_(recipe.clip),
      parameters_(parameters),
      mean_(at::zeros_like(parameters.values())),
      decayed_(parameters.decays() * recipe.decay) {
  if (adam_) square_ = at::zeros_like(mean_);
}

void Optimiser::step(at::Tensor& gradient, std::int64_t step, double rate) {
  at::Tensor& values = parameters_.values();
  if (clip_ > 0) {
    // At most the norm that is allowed, without asking the device for it.
    const at::Tensor norm = gradient.norm();
    gradient.mul_(at::clamp_max(clip_ / (norm + 1e-6), 1.0));
  }
  if (adam_) {
    const double t = static_cast<double>(step + 1);
    mean_.lerp_(gradient, 1 - momentum_);
    square_.mul_(second_).addcmul_(gradient, gradient, 1 - second_);
    const double first_part = 1 - std::pow(momentum_, t), second_part = 1 - std::pow(second_, t);
    if (decay_ > 0) values.addcmul_(values, decayed_, -rate);
    const at::Tensor spread = square_.sqrt().mul_(1 / std::sqrt(second_part)).add_(kEpsilon);
    values.addcdiv_(mean_, spread, -rate / first_part);
  } else {
    if (decay_ > 0) gradient.addcmul_(values, decayed_);
    mean_.mul_(momentum_).add_(gradient);
    values.sub_(gradient.add_(mean_, momentum_), rate);
  }
  parameters_.refresh();
}

void Optimiser::write(Checkpoint& checkpoint) const {
  checkpoint.tensors["optimiser.mean"] = mean_;
  if (adam_) checkpoint.tensors["optimiser.square"] = square_;
}

void Optimiser::read(const Checkpoint& checkpoint, const std::string& path, std::string_view place) {
  const auto take = [&](at::Tensor& to, const char* name) {
    to.copy_(tensor_of(checkpoint, name, to.sizes(), to.scalar_type(), path, place));
  };
  take(mean_, "optimiser.mean");
  if (adam_) take(square_, "optimiser.square");
}

}  // namespace helio::train
