// SPDX-License-Identifier: Apache-2.0
#include "train/optimiser.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace helio::train {
namespace {

// Two parameters of one number each: the first decays, the second does not.
Parameters two(double first, double second) {
  return Parameters({{.name = "a", .shape = {1}, .constant = first},
                     {.name = "b", .shape = {1}, .constant = second, .decays = false}},
                    1, at::kCPU, at::kFloat, 1);
}

at::Tensor gradient_of(const Parameters& parameters, double a, double b) {
  at::Tensor gradient = at::zeros({parameters.length()});
  gradient[0] = a;
  gradient[Parameters::kAlignment] = b;
  return gradient;
}

double number(const at::Tensor& tensor) { return tensor.item().toDouble(); }

TEST(Optimiser, SgdIsNesterovsWithDecayWhereItApplies) {
  Parameters parameters = two(1, 1);
  ModelRecipe recipe;
  recipe.optimiser = "sgd";
  recipe.momentum = 0.5;
  recipe.decay = 0.1;
  Optimiser optimiser(recipe, parameters);
  // a: g = 1 + 0.1·1 = 1.1, v = 1.1, step 0.1·(1.1 + 0.5·1.1) = 0.165 → 0.835; b without decay: v = 1, step 0.15 → 0.85
  at::Tensor gradient = gradient_of(parameters, 1, 1);
  optimiser.step(gradient, 0, 0.1);
  EXPECT_NEAR(number(parameters.value(0)), 0.835, 1e-6);
  EXPECT_NEAR(number(parameters.value(1)), 0.85, 1e-6);
  // b again with g = 0: v = 0.5, step 0.1·(0 + 0.5·0.5) = 0.025
  gradient = gradient_of(parameters, 0, 0);
  optimiser.step(gradient, 1, 0.1);
  EXPECT_NEAR(number(parameters.value(1)), 0.825, 1e-6);
}

TEST(Optimiser, AdamwsFirstStepIsTheRateInTheGradientsDirection) {
  // m̂ = g, ŝ = g²: the step is rate·sign(g), whatever the size; decay takes rate·λ·p before.
  Parameters parameters = two(1, 1);
  ModelRecipe recipe;
  recipe.optimiser = "adamw";
  recipe.decay = 0.5;
  Optimiser optimiser(recipe, parameters);
  at::Tensor gradient = gradient_of(parameters, 3, -1e-3);
  optimiser.step(gradient, 0, 0.01);
  EXPECT_NEAR(number(parameters.value(0)), 1 - 0.01 * 0.5 - 0.01, 1e-6);
  EXPECT_NEAR(number(parameters.value(1)), 1 + 0.01, 1e-6);
}

TEST(Optimiser, ClipsTheNormAndLeavesSmallGradientsAlone) {
  ModelRecipe recipe;
  recipe.optimiser = "sgd";
  recipe.momentum = recipe.decay = 0;
  recipe.clip = 1;
  // (3, 4) has norm 5 and becomes (0.6, 0.8); (0.3, 0.4) stays.
  for (const double scale : {1.0, 0.1}) {
    Parameters parameters = two(0, 0);
    Optimiser optimiser(recipe, parameters);
    at::Tensor gradient = gradient_of(parameters, 3 * scale, 4 * scale);
    optimiser.step(gradient, 0, 1);
    const double factor = scale == 1.0 ? 0.2 : 0.1;
    EXPECT_NEAR(number(parameters.value(0)), -3 * factor, 1e-5);
    EXPECT_NEAR(number(parameters.value(1)), -4 * factor, 1e-5);
  }
}

}  // namespace
}  // namespace helio::train
