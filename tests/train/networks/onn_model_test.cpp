// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_model.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

#include "train/networks/onn_points.h"
#include "train/networks/orthogonal.h"

namespace helio::train {
namespace {

OnnRecipe small(TrainedStructure structure, photonics::ActivationKind activation) {
  OnnRecipe recipe;
  recipe.task.servers = 2;
  recipe.task.bits = 4;
  recipe.widths = {2, 8, 4, 2};  // tall, wide, wide
  recipe.structure = structure;
  if (structure != TrainedStructure::kDense) recipe.block_layers = every_layer(recipe.widths);
  recipe.activation = activation;
  return recipe;
}

// ½‖y‖² has ∂/∂y = y. Along a direction v that stays on the manifold to first order (tangent in the rotations, free elsewhere) the
// difference quotient is ⟨gradient, v⟩; the tangent projection is orthogonal, so projected and raw gradients agree on such v.
void expect_slope(const OnnRecipe& recipe) {
  const OnnLayout layout(recipe);
  at::Tensor flat = layout.start(recipe).to(at::kDouble), gradient = at::zeros_like(flat);
  const at::Tensor points = all_points(recipe.task, at::kCPU).inputs.to(at::kDouble);
  OnnModel model(recipe, layout, flat, gradient);
  model.backward(model.forward(points));

  at::manual_seed(5);
  at::Tensor direction = at::randn_like(flat);
  std::vector<at::Tensor> along = layout.rotations(direction), rotations = layout.rotations(flat);
  for (std::size_t i = 0; i < along.size(); ++i) to_tangent(along[i], rotations[i]);
  const auto loss = [&](double step) {
    at::Tensor moved = flat + step * direction, unused = at::zeros_like(flat);
    OnnModel other(recipe, layout, moved, unused);
    return 0.5 * other.forward(points).square().sum().item().toDouble();
  };
  const double quotient = (loss(1e-6) - loss(-1e-6)) / 2e-6;
  const double product = (gradient * direction).sum().item().toDouble();
  EXPECT_NEAR(product, quotient, 1e-5 * std::abs(quotient) + 1e-6);
  EXPECT_GT(std::abs(quotient), 1e-3);
}

TEST(OnnModel, GradientIsTheSlopeOfTheLoss) {
  for (const TrainedStructure structure : {TrainedStructure::kDense, TrainedStructure::kUd})
    for (const auto activation : {photonics::ActivationKind::kRelu, photonics::ActivationKind::kSaturating})
      expect_slope(small(structure, activation));
}

// The gradient of a rotation keeps it orthogonal to first order: QᵀG is skew.
TEST(OnnModel, GradientsOfRotationsAreTangent) {
  const OnnRecipe recipe = small(TrainedStructure::kUd, photonics::ActivationKind::kRelu);
  const OnnLayout layout(recipe);
  const at::Tensor flat = layout.start(recipe), gradient = at::zeros_like(flat);
  OnnModel model(recipe, layout, flat, gradient);
  model.backward(model.forward(all_points(recipe.task, at::kCPU).inputs));
  const std::vector<at::Tensor> rotations = layout.rotations(flat), slopes = layout.rotations(gradient);
  for (std::size_t i = 0; i < rotations.size(); ++i) {
    const at::Tensor inner = at::bmm(rotations[i].transpose(1, 2), slopes[i]);
    const double size = inner.abs().max().item().toDouble();
    EXPECT_GT(size, 0);
    EXPECT_LT((inner + inner.transpose(1, 2)).abs().max().item().toDouble(), 1e-5 * size);
  }
}

// Errors of components change the outputs, by as much as they are scaled to: none without noise in the recipe.
TEST(OnnModel, ComponentsErrAsTold) {
  for (const TrainedStructure structure : {TrainedStructure::kDense, TrainedStructure::kUd}) {
    OnnRecipe recipe = small(structure, photonics::ActivationKind::kRelu);
    const OnnLayout layout(recipe);
    const at::Tensor flat = layout.start(recipe), gradient = at::zeros_like(flat);
    const at::Tensor points = all_points(recipe.task, at::kCPU).inputs, errors = at::ones_like(flat);
    const auto change = [&] {
      OnnModel model(recipe, layout, flat, gradient);
      const at::Tensor right = model.forward(points);
      return (model.forward(points, errors) - right).abs().max().item().toDouble();
    };
    EXPECT_EQ(change(), 0);
    recipe.noise.phase_sigma = 1e-4;
    const double small_change = change();
    EXPECT_GT(small_change, 0);
    // Twice the error, twice the change, to first order.
    recipe.noise.phase_sigma = 2e-4;
    EXPECT_NEAR(change() / small_change, 2, 0.05);
  }
}

}  // namespace
}  // namespace helio::train
