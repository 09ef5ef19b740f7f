// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_recipe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"

namespace helio::train {
namespace {

OnnRecipe usual() {
  OnnRecipe recipe;
  recipe.widths = usual_widths(recipe.task);
  recipe.block_layers = every_layer(recipe.widths);
  return recipe;
}

// The option that is complained of, or "" where all is well.
std::string complaint(const OnnRecipe& recipe) {
  try {
    recipe.check();
  } catch (const Error& error) {
    return error.place();
  }
  return "";
}

TEST(OnnRecipe, TheUsualNetworkIsFine) {
  EXPECT_EQ(usual().widths, (std::vector<int>{4, 64, 128, 256, 128, 64, 4}));
  EXPECT_EQ(complaint(usual()), "");
}

TEST(OnnRecipe, StructuresThatDoNotFitAreRefused) {
  // 64 is no multiple of 5: level 1 of a cascade has no square blocks in its last layer.
  OnnRecipe recipe = usual();
  recipe.task.out_fraction = 1;
  EXPECT_EQ(complaint(recipe), "--layers");  // five symbols leave
  recipe.widths.back() = 5;
  EXPECT_EQ(complaint(recipe), "--layers");  // blocks
  recipe.block_layers = {0, 1, 2, 3, 4};
  EXPECT_EQ(complaint(recipe), "");
  recipe.block_layers = {6};
  EXPECT_EQ(complaint(recipe), "--block-layers");
  recipe = usual();
  recipe.structure = TrainedStructure::kDense;
  EXPECT_EQ(complaint(recipe), "--block-layers");
}

TEST(OnnRecipe, NumbersOutOfRangeAreRefused) {
  OnnRecipe recipe = usual();
  recipe.rate = std::nan("");
  EXPECT_EQ(complaint(recipe), "--rate");
  recipe = usual();
  recipe.epochs = 0;
  EXPECT_EQ(complaint(recipe), "--epochs");
  recipe = usual();
  recipe.batch_last = recipe.batch / 2;
  EXPECT_EQ(complaint(recipe), "--batch-last");
  recipe = usual();
  recipe.activation = photonics::ActivationKind::kNone;
  EXPECT_EQ(complaint(recipe), "--activation");
}

// Cosine: half way (1 + cos(π/2))/2 = ½ of the way from the floor (0.002 of the start) to the start; at the end the floor. A second
// cycle starts at `decay` times the rate.
TEST(OnnRecipe, RateFallsAsACosine) {
  OnnRecipe recipe = usual();
  recipe.rate = 1;
  EXPECT_NEAR(rate_at(recipe, 0.5), 0.002 + 0.998 / 2, 1e-12);
  EXPECT_NEAR(rate_at(recipe, 1), 0.002, 1e-12);
  EXPECT_LT(rate_at(recipe, 0), 0.2);  // the first hundredth warms up
  recipe.cycles = 2;
  recipe.decay = 0.5;
  EXPECT_NEAR(rate_at(recipe, 0.25), 0.002 + 0.998 / 2, 1e-12);
  EXPECT_NEAR(rate_at(recipe, 0.75), 0.002 + 0.498 / 2, 1e-12);
}

TEST(OnnRecipe, BatchesDoubleWithinACycle) {
  OnnRecipe recipe = usual();
  recipe.batch = 128;
  recipe.batch_last = 512;  // 128, 256, 512: a third of the cycle each
  EXPECT_EQ(batch_at(recipe, 0), 128);
  EXPECT_EQ(batch_at(recipe, 0.34), 256);
  EXPECT_EQ(batch_at(recipe, 0.67), 512);
  EXPECT_EQ(batch_at(recipe, 1), 512);
}

// A 10-bit phase is uniform in ±π/1024, of standard deviation π/1024/√3 = 1.7713 mrad; with 3 mrad in quadrature 3.4839 mrad; half of it
// reaches an entry. Couplers count by their square: 1.7·(0.01)²·√64 = 1.36e-3.
TEST(OnnRecipe, ComponentNoiseAddsInQuadrature) {
  EXPECT_NEAR((ComponentNoise{0, 10, 0}.entry_sigma(64)), 1.7713e-3 / 2, 1e-6);
  EXPECT_NEAR((ComponentNoise{3e-3, 10, 0}.entry_sigma(64)), 3.4839e-3 / 2, 1e-6);
  EXPECT_NEAR((ComponentNoise{0, 0, 0.01}.entry_sigma(64)), 1.36e-3, 1e-6);
  // A tenth of 0.2 dB is 0.02·ln 10/20 = 2.3026e-3 of the field; heat 2.3·0.001·√64 = 0.0184
  EXPECT_NEAR((ComponentNoise{.mzi_loss_db = 0.2}.entry_sigma(64)), 2.3026e-3, 1e-6);
  EXPECT_NEAR((ComponentNoise{.crosstalk = 1e-3}.entry_sigma(64)), 0.0184, 1e-6);
  EXPECT_FALSE((ComponentNoise{.detector_sigma = 0.06}.none()));
  EXPECT_TRUE(ComponentNoise{}.none());
}

}  // namespace
}  // namespace helio::train
