// SPDX-License-Identifier: Apache-2.0
#include "train/exchange/exact_exchange.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace helio::train {
namespace {

// Sums of N floats have N − 1 roundings, and the share of 1/N and the product one each: (N + 1) · 2^-24 of the sum of magnitudes.
TEST(ExactExchange, IsTheMeanToFloatPrecision) {
  for (const int servers : {1, 2, 3, 5, 16}) {
    at::Tensor gradients = at::randn({servers, 1001}, at::kFloat);
    const at::Tensor exact = gradients.to(at::kDouble).mean(0), size = gradients.to(at::kDouble).abs().mean(0);
    at::Tensor average = at::empty({1001}, at::kFloat);
    ExactExchange(servers).average(gradients, average);
    const at::Tensor off = (average.to(at::kDouble) - exact).abs() / size;
    EXPECT_LE(off.max().item<double>(), (servers + 1) * 0x1p-24) << servers;
  }
}

// 2^24 + 1 is no float: in the order of servers the ones are lost one by one, (2^24 + 1) + 1 = 2^24, and last comes −2^24.
TEST(ExactExchange, AddsInTheOrderOfServers) {
  at::Tensor gradients = at::tensor({16777216.0f, 1.0f, 1.0f, -16777216.0f}).view({4, 1});
  at::Tensor average = at::empty({1}, at::kFloat);
  ExactExchange(4).average(gradients, average);
  EXPECT_EQ(average.item<float>(), 0.0f);
}

TEST(ExactExchange, HasNothingToMeasureOrKeep) {
  ExactExchange exchange(2);
  EXPECT_TRUE(exchange.measured(at::zeros({2, 3})).empty());
  Checkpoint checkpoint;
  exchange.write(checkpoint);
  EXPECT_TRUE(checkpoint.tensors.empty());
}

}  // namespace
}  // namespace helio::train
