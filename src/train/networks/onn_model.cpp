// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_model.h"

#include <ATen/ATen.h>

#include <cmath>

#include "train/networks/orthogonal.h"

namespace helio::train {

OnnModel::OnnModel(const OnnRecipe& recipe, const OnnLayout& layout, const at::Tensor& flat, const at::Tensor& gradient)
    : saturating_(recipe.activation == photonics::ActivationKind::kSaturating),
      leak_(trained_activation(recipe.activation).leak),
      noise_(recipe.noise),
      layout_(layout),
      flat_(flat),
      gradient_(gradient) {
  const std::vector<LayerParts> values = layout.parts(flat), slopes = layout.parts(gradient);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stage stage{layout.shapes()[i], values[i], slopes[i]};
    stage.weights =
        stage.shape.factors ? at::empty({stage.shape.units, stage.shape.wires}, flat.options()) : values[i].weights;
    stage.gradient = stage.shape.factors ? at::empty_like(stage.weights) : slopes[i].weights;
    stages_.push_back(std::move(stage));
  }
}

void OnnModel::form_weights(Stage& stage, const LayerParts* errors) {
  const double side = static_cast<double>(stage.shape.side()), entry_sigma = noise_.entry_sigma(side);
  if (!stage.shape.factors) {
    stage.weights = stage.values.weights;
    if (!errors) return;
    // Two meshes, with singular values between: an entry scatters with their root mean square, twice.
    stage.weights = stage.weights + errors->weights * (stage.weights.norm() * (entry_sigma * std::sqrt(2 / side)));
    return;
  }
  stage.rotations = stage.values.rotations;
  if (errors) stage.rotations = at::add(stage.rotations, errors->rotations, entry_sigma);
  at::Tensor blocks = blocks_of(stage.weights, stage.shape);
  at::mul_out(blocks, stage.rotations, stage.values.scales.unsqueeze(2));
}

at::Tensor OnnModel::forward(const at::Tensor& points, const at::Tensor& errors) {
  std::vector<LayerParts> drawn;
  if (errors.defined()) drawn = layout_.parts(errors);
  at::Tensor x = points;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    form_weights(stage, drawn.empty() ? nullptr : &drawn[i]);
    stage.entering = x;
    const bool noisy = !drawn.empty() && noise_.detector_sigma > 0;
    stage.before =
        at::addmm(noisy ? at::add(stage.values.bias, drawn[i].bias, noise_.detector_sigma) : stage.values.bias, x,
                  stage.weights.t());
    if (i + 1 == stages_.size()) return stage.before;
    x = saturating_ ? at::clamp(stage.before, -1, 1).add_(stage.before, leak_) : at::relu(stage.before);
  }
  return x;
}

void OnnModel::backward(const at::Tensor& outputs) {
  at::Tensor slope = outputs;
  for (std::size_t i = stages_.size(); i-- > 0;) {
    Stage& stage = stages_[i];
    at::mm_out(stage.gradient, slope.t(), stage.entering);
    at::sum_out(stage.slopes.bias, slope, {0});
    if (stage.shape.factors) {
      const at::Tensor blocks = blocks_of(stage.gradient, stage.shape);
      at::mul_out(stage.slopes.rotations, blocks, stage.values.scales.unsqueeze(2));
      at::sum_out(stage.slopes.scales, blocks * stage.rotations, {2});
    }
    if (i == 0) break;
    const at::Tensor entering = at::mm(slope, stage.weights), &before = stages_[i - 1].before;
    slope = saturating_ ? at::hardtanh_backward(entering, before, -1, 1).add_(entering, leak_)
                        : at::threshold_backward(entering, before, 0);
  }
  std::vector<at::Tensor> rotations = layout_.rotations(flat_), slopes = layout_.rotations(gradient_);
  for (std::size_t i = 0; i < rotations.size(); ++i) to_tangent(slopes[i], rotations[i]);
}

}  // namespace helio::train
