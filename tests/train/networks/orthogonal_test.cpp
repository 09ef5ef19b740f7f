// SPDX-License-Identifier: Apache-2.0
#include "train/networks/orthogonal.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "train/networks/deviation.h"

namespace helio::train {
namespace {

at::Tensor random_rotations(std::int64_t blocks, std::int64_t side) {
  at::manual_seed(3);
  return polar_factor(at::randn({blocks, side, side}, at::kDouble));
}

TEST(Orthogonal, PolarFactorIsOrthogonalAndLeavesRotationsAlone) {
  const at::Tensor q = random_rotations(3, 16);
  EXPECT_LT(deviation_from_orthogonal(q), 1e-12);
  EXPECT_LT((polar_factor(q) - q).abs().max().item().toDouble(), 1e-12);
  // Of diag(2, 3) it is the identity.
  EXPECT_LT(deviation_from_orthogonal(polar_factor(at::diag(at::tensor({2.0, 3.0})).unsqueeze(0))), 1e-12);
}

// QᵀG of a tangent vector is skew: Q stays orthogonal to first order. What is tangent already is left alone.
TEST(Orthogonal, TangentPartIsSkewAndProjectionIsIdempotent) {
  const at::Tensor q = random_rotations(2, 8);
  at::Tensor g = at::randn({2, 8, 8}, at::kDouble);
  to_tangent(g, q);
  const at::Tensor inner = at::bmm(q.transpose(1, 2), g);
  EXPECT_LT((inner + inner.transpose(1, 2)).abs().max().item().toDouble(), 1e-12);
  at::Tensor again = g.clone();
  to_tangent(again, q);
  EXPECT_LT((again - g).abs().max().item().toDouble(), 1e-12);
  EXPECT_GT(g.abs().max().item().toDouble(), 0.1);
}

// One Newton–Schulz iteration takes a singular value 1 + x to (1 + x)(3 − (1 + x)²)/2 = 1 − 1.5x² − 0.5x³. Two of them take 1.1 to
// 0.9845, then to 0.99964; the nearest rotation of 1.1·Q is Q.
TEST(Orthogonal, RetractionSquaresTheErrorTwice) {
  const at::Tensor q = random_rotations(2, 8);
  at::Tensor near = 1.1 * q;
  retract(near);
  const double once = 1 - 1.5 * 0.01 - 0.5 * 0.001, x = once - 1;
  const double twice = 1 - 1.5 * x * x - 0.5 * x * x * x;
  EXPECT_LT((near - twice * q).abs().max().item().toDouble(), 1e-12);
  EXPECT_LT((nearest_rotation(1.1 * q) - q).abs().max().item().toDouble(), 1e-12);
}

// What is diag(d)·Q already is its own projection, whatever the signs of d.
TEST(Orthogonal, ProjectionKeepsScaledRotations) {
  const at::Tensor q = random_rotations(2, 8);
  const at::Tensor d = at::linspace(-2, 1.5, 16, at::kDouble).view({2, 8, 1});
  EXPECT_LT((nearest_scaled_rotation(d * q) - d * q).abs().max().item().toDouble(), 1e-9);
}

// A projection is no farther from the blocks than their best single-scale rotation.
TEST(Orthogonal, ProjectionIsNearerThanOneScaleForAll) {
  at::manual_seed(4);
  const at::Tensor blocks = at::randn({3, 8, 8}, at::kDouble);
  const at::Tensor q = polar_factor(blocks), scale = (blocks * q).sum({1, 2}, true) / 8;
  EXPECT_LE((nearest_scaled_rotation(blocks) - blocks).norm().item().toDouble(),
            (scale * q - blocks).norm().item().toDouble());
}

}  // namespace
}  // namespace helio::train
