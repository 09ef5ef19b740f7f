// SPDX-License-Identifier: Apache-2.0
#include "train/model_recipe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"

namespace helio::train {
namespace {

TEST(ModelRecipe, RateRisesThenFallsAsACosine) {
  ModelRecipe recipe;
  recipe.rate = 2;
  recipe.floor = 0.5;
  EXPECT_DOUBLE_EQ(rate_at(recipe, 0, 4, 12), 0.5);  // a quarter of the warm-up
  EXPECT_DOUBLE_EQ(rate_at(recipe, 3, 4, 12), 2);
  EXPECT_DOUBLE_EQ(rate_at(recipe, 4, 4, 12), 2);    // cos 0
  EXPECT_DOUBLE_EQ(rate_at(recipe, 8, 4, 12), 1.5);  // half-way: ½(1 + cos π/2) = ½ between floor·rate = 1 and 2
  EXPECT_NEAR(rate_at(recipe, 12, 4, 12), 1, 1e-12);
}

TEST(ModelRecipe, BadValuesNameTheirOption) {
  const auto place = [](auto change) {
    ModelRecipe recipe;
    change(recipe);
    try {
      recipe.check();
    } catch (const Error& error) {
      return error.place();
    }
    return std::string("none");
  };
  EXPECT_EQ(place([](ModelRecipe&) {}), "none");
  EXPECT_EQ(place([](ModelRecipe& r) { r.servers = 0; }), "--servers");
  EXPECT_EQ(place([](ModelRecipe& r) { r.batch = 0; }), "--batch");
  EXPECT_EQ(place([](ModelRecipe& r) { r.epochs = 0; }), "--epochs");
  EXPECT_EQ(place([](ModelRecipe& r) { r.epochs = 1e300; }), "--epochs");
  EXPECT_EQ(place([](ModelRecipe& r) { r.epochs = NAN; }), "--epochs");
  EXPECT_EQ(place([](ModelRecipe& r) { r.servers = 2'000'000'000; }), "--servers");
  EXPECT_EQ(place([](ModelRecipe& r) { r.batch = INT64_MAX; }), "--batch");
  EXPECT_EQ(place([](ModelRecipe& r) { r.data.made_images = INT64_MAX; }), "--made-images");
  EXPECT_EQ(place([](ModelRecipe& r) { r.warmup = 30; }), "--warmup");
  EXPECT_EQ(place([](ModelRecipe& r) { r.rate = -1; }), "--rate");
  EXPECT_EQ(place([](ModelRecipe& r) { r.rate = NAN; }), "--rate");
  EXPECT_EQ(place([](ModelRecipe& r) { r.rate = 1e39; }), "--rate");  // float32 ends at 3.4e38
  EXPECT_EQ(place([](ModelRecipe& r) { r.decay = 1e39; }), "--decay");
  EXPECT_EQ(place([](ModelRecipe& r) { r.clip = 1e39; }), "--clip");
  EXPECT_EQ(place([](ModelRecipe& r) { r.momentum = 1; }), "--momentum");
  EXPECT_EQ(place([](ModelRecipe& r) { r.optimiser = "sdg"; }), "--optimiser");
  EXPECT_EQ(place([](ModelRecipe& r) { r.precision = "fp8"; }), "--precision");
  EXPECT_EQ(place([](ModelRecipe& r) { r.model.name = "llama"; }), "--data");
  EXPECT_EQ(place([](ModelRecipe& r) { r.data.format = "tokens"; }), "--data");
}

}  // namespace
}  // namespace helio::train
