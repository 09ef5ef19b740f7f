// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_layout.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "train/networks/deviation.h"

namespace helio::train {
namespace {

OnnRecipe recipe_of(TrainedStructure structure) {
  OnnRecipe recipe;
  recipe.widths = usual_widths(recipe.task);
  recipe.structure = structure;
  if (structure != TrainedStructure::kDense) recipe.block_layers = every_layer(recipe.widths);
  return recipe;
}

// 4-64-128-256-128-64-4 in blocks: 2·(16·4² + 2·64² + 2·128²) numbers in Q, 2·(64 + 128 + 256) in d, 644 biases. Blocks of sides 4, 64
// and 128, of two layers each.
TEST(OnnLayout, CountsItsNumbers) {
  const OnnLayout ud(recipe_of(TrainedStructure::kUd)), dense(recipe_of(TrainedStructure::kDense));
  EXPECT_EQ(ud.size(), 2 * (16 * 16 + 2 * 64 * 64 + 2 * 128 * 128) + 2 * (64 + 128 + 256) + 644);
  EXPECT_EQ(dense.size(), 2 * (4 * 64 + 64 * 128 + 128 * 256) + 644);
  const std::vector<at::Tensor> sides = ud.rotations(at::zeros({ud.size()}));
  ASSERT_EQ(sides.size(), 3u);
  EXPECT_EQ(sides[0].sizes().vec(), (std::vector<std::int64_t>{32, 4, 4}));
  EXPECT_EQ(sides[2].sizes().vec(), (std::vector<std::int64_t>{4, 128, 128}));
}

// A tall layer's blocks stand one below the other, a wide one's side by side.
TEST(OnnLayout, BlocksOfTallAndWideMatrices) {
  const at::Tensor tall = at::arange(8, at::kDouble).view({4, 2}), wide = at::arange(8, at::kDouble).view({2, 4});
  EXPECT_TRUE(at::equal(blocks_of(tall, {4, 2})[1], at::tensor({4.0, 5.0, 6.0, 7.0}).view({2, 2})));
  EXPECT_TRUE(at::equal(blocks_of(wide, {2, 4})[1], at::tensor({2.0, 3.0, 6.0, 7.0}).view({2, 2})));
}

// Start values (papers/optinc.md 2.4): rows of W in a tall layer have norm √2, in a wide one of p blocks √(2/p) per block, so √2 in
// all; the gain scales the first layer alone.
TEST(OnnLayout, StartsAsTheSpecSays) {
  OnnRecipe recipe = recipe_of(TrainedStructure::kUd);
  recipe.first_gain = 3;
  const OnnLayout layout(recipe);
  const photonics::Onn onn = layout.network(layout.start(recipe), recipe);
  ASSERT_EQ(onn.layers.size(), 6u);
  EXPECT_NEAR(onn.layers[0].weights.row(5).norm(), 3 * std::sqrt(2.0), 1e-5);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_NEAR(onn.layers[i].weights.row(1).norm(), std::sqrt(2.0), 1e-5) << i;
  EXPECT_LE(onn.layers[1].bias.cwiseAbs().maxCoeff(), 1 / 8.0);
  EXPECT_NEAR(onn.input_scale, 2.0 / 12, 1e-15);
  EXPECT_EQ(onn.layers[0].structure, photonics::Structure::kUd);
  EXPECT_EQ(onn.layers[5].activation.kind, photonics::ActivationKind::kNone);
}

// What leaves the layout is orthogonal in double precision, for factors and for projected matrices alike.
TEST(OnnLayout, NetworksHoldTheirStructure) {
  for (const TrainedStructure structure : {TrainedStructure::kUd, TrainedStructure::kProj}) {
    const OnnRecipe recipe = recipe_of(structure);
    const OnnLayout layout(recipe);
    const photonics::Onn onn = layout.network(layout.start(recipe), recipe);
    for (std::size_t i = 0; i < onn.layers.size(); ++i) {
      const photonics::Matrix& w = onn.layers[i].weights;
      const at::Tensor weights = at::from_blob(const_cast<double*>(w.data()), {w.rows(), w.cols()}, at::kDouble);
      const at::Tensor blocks = blocks_of(weights, layout.shapes()[i]);
      EXPECT_LT(deviation_from_orthogonal(blocks / blocks.norm(2, {2}, true)), 1e-6) << i;
    }
  }
}

}  // namespace
}  // namespace helio::train
