// SPDX-License-Identifier: Apache-2.0
#include "train/models/token_ops.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "train/models/near.h"

namespace helio::train {
namespace {

at::Tensor leaf(const at::Tensor& tensor) { return tensor.detach().clone().set_requires_grad(true); }

// Heads of 4: pair 0 turns by p, pair 1 by p/100. At position 2, (1, 0) becomes (cos 2, sin 2), and (0, 1) becomes (−sin 0.02, cos 0.02).
TEST(TokenOps, RotationsTurnPairs) {
  const Rotation rotation(3, 4, at::kCPU, at::kFloat);
  at::Tensor qkv = at::zeros({1, 3, 3, 1, 4});
  for (int part = 0; part < 3; ++part) qkv.select(2, part).copy_(at::tensor({1.0f, 0.0f, 0.0f, 1.0f}));
  const at::Tensor y = rotated(qkv, rotation);
  const auto expected = at::tensor({std::cos(2.0), -std::sin(0.02), std::sin(2.0), std::cos(0.02)});
  for (int part = 0; part < 2; ++part) EXPECT_TRUE(near(y[0][2][part][0], expected, 1e-6));
  EXPECT_TRUE(at::equal(y[0][0], qkv[0][0]));                // position 0 is not turned
  EXPECT_TRUE(at::equal(y.select(2, 2), qkv.select(2, 2)));  // nor are values
}

// The product of a query and a key depends on their distance alone, and turning keeps lengths; so the backward pass turns back.
TEST(TokenOps, RotationsKeepDistances) {
  at::manual_seed(1);
  const Rotation rotation(9, 8, at::kCPU, at::kFloat);
  const at::Tensor q = at::randn({8}), k = at::randn({8});
  at::Tensor qkv = at::empty({1, 9, 3, 1, 8});
  qkv.select(2, 0).copy_(q);
  qkv.select(2, 1).copy_(k);
  qkv.select(2, 2).zero_();
  qkv = leaf(qkv);
  const at::Tensor y = rotated(qkv, rotation);
  const auto product = [&](int a, int b) { return at::dot(y[0][a][0][0], y[0][b][1][0]).item<float>(); };
  EXPECT_NEAR(product(2, 0), product(8, 6), 1e-4);
  EXPECT_NEAR(product(1, 4), product(5, 8), 1e-4);
  const at::Tensor t = at::randn_like(y);
  (y * t).sum().backward();
  EXPECT_TRUE(near((qkv.grad() * qkv).sum(), (y * t).sum(), 1e-4));  // ⟨Rᵀt, x⟩ = ⟨t, Rx⟩
}

// Against the formula in double, forward and backward.
TEST(TokenOps, AttentionSeesNoLaterPosition) {
  at::manual_seed(2);
  const at::Tensor qkv = leaf(at::randn({2, 4, 3, 2, 3})), exact = leaf(qkv.to(at::kDouble));
  const at::Tensor y = causal_attention(qkv), t = at::randn_like(y);
  EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{2, 4, 6}));
  (y * t).sum().backward();

  std::vector<at::Tensor> positions;
  for (std::int64_t p = 0; p < 4; ++p) {
    const at::Tensor q = exact.select(2, 0).select(1, p).unsqueeze(1);  // [2, 1, 2, 3]
    const at::Tensor k = exact.select(2, 1).narrow(1, 0, p + 1), v = exact.select(2, 2).narrow(1, 0, p + 1);
    const at::Tensor weights = at::softmax((q * k).sum(-1, true) / std::sqrt(3.0), 1);
    positions.push_back((weights * v).sum(1).flatten(1));
  }
  const at::Tensor expected = at::stack(positions, 1);
  (expected * t).sum().backward();
  EXPECT_TRUE(near(y, expected, 1e-5));
  EXPECT_TRUE(near(qkv.grad(), exact.grad(), 1e-5));
}

TEST(TokenOps, Swiglu) {
  at::manual_seed(3);
  const at::Tensor gates = leaf(at::randn({2, 3, 8})), exact = leaf(gates.to(at::kDouble));
  const at::Tensor y = swiglu(gates), t = at::randn_like(y);
  (y * t).sum().backward();
  const at::Tensor gate = exact.narrow(2, 0, 4), expected = gate * at::sigmoid(gate) * exact.narrow(2, 4, 4);
  (expected * t).sum().backward();
  EXPECT_TRUE(near(y, expected, 1e-6));
  EXPECT_TRUE(near(gates.grad(), exact.grad(), 1e-6));
}

// bfloat16 in, bfloat16 out, within its rounding.
TEST(TokenOps, LowPrecisionStaysNear) {
  at::manual_seed(4);
  const Rotation rotation(5, 8, at::kCPU, at::kFloat), low(5, 8, at::kCPU, at::kBFloat16);
  const at::Tensor qkv = at::randn({2, 5, 3, 2, 8}), gates = at::randn({2, 3, 8});
  const at::Tensor turned = rotated(qkv.to(at::kBFloat16), low), mixed = swiglu(gates.to(at::kBFloat16));
  EXPECT_EQ(turned.scalar_type(), at::kBFloat16);
  EXPECT_EQ(mixed.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(near(turned, rotated(qkv, rotation), 0.02));
  EXPECT_TRUE(near(mixed, swiglu(gates), 0.02));
}

}  // namespace
}  // namespace helio::train
