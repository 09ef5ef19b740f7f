// SPDX-License-Identifier: Apache-2.0
#include "train/models/parameters.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace helio::train {
namespace {

std::vector<ParameterSpec> three() {
  return {{"conv", {5, 3, 2, 2}, 0, 0.5}, {"scale", {7}, 1, 0, false, false}, {"weight", {4, 33}, 0, 0.1}};
}

// 60, 7 and 132 numbers; each begins at a multiple of 64: 0, 64, 128, and the end is 128 + 192 = 320.
TEST(Parameters, LieAlignedInOneVector) {
  Parameters parameters(three(), 2, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(parameters.count(), 60 + 7 + 132);
  EXPECT_EQ(parameters.length(), 320);
  EXPECT_EQ(parameters.gradients().sizes(), (std::vector<std::int64_t>{2, 320}));
  EXPECT_EQ(parameters.value(1).storage_offset(), 64);
  EXPECT_EQ(parameters.value(2).storage_offset(), 128);
  EXPECT_EQ(parameters.gradient(2).sizes(), (std::vector<std::int64_t>{2, 4, 33}));

  // Gaps are zero, decay applies to what the specs say and to no gap.
  EXPECT_EQ(parameters.values().narrow(0, 60, 4).abs().sum().item<float>(), 0);
  EXPECT_EQ(parameters.decays().sum().item<float>(), 60 + 132);
  EXPECT_EQ(parameters.decays().narrow(0, 60, 68).sum().item<float>(), 0);
}

// The weight of a convolution is [out, in, high, wide] to whoever looks and [out, high, wide, in] in memory.
TEST(Parameters, ConvolutionsAreChannelsLast) {
  Parameters parameters(three(), 2, at::kCPU, at::kFloat, 1);
  const at::Tensor weight = parameters.value(0);
  EXPECT_EQ(weight.sizes(), (std::vector<std::int64_t>{5, 3, 2, 2}));
  EXPECT_EQ(weight.strides(), (std::vector<std::int64_t>{12, 1, 6, 3}));
  EXPECT_TRUE(weight.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(parameters.gradient(0).strides(), (std::vector<std::int64_t>{320, 12, 1, 6, 3}));

  // A view: what is written there is in the row of its server.
  parameters.gradient(0).select(0, 1).fill_(2);
  EXPECT_EQ(parameters.gradients()[0].sum().item<float>(), 0);
  EXPECT_EQ(parameters.gradients()[1].sum().item<float>(), 120);
}

// 10,000 draws of σ = 0.5: the mean is within 5·0.5/100 of 0, the deviation within 5·0.5/√20000 of 0.5.
TEST(Parameters, StartValuesFollowTheSeed) {
  const std::vector<ParameterSpec> specs = {{"a", {100, 100}, 0, 0.5}, {"b", {100, 100}, 0, 0.5}, {"c", {9}, 3, 0}};
  Parameters one(specs, 1, at::kCPU, at::kFloat, 7), same(specs, 4, at::kCPU, at::kBFloat16, 7),
      other(specs, 1, at::kCPU, at::kFloat, 8);
  EXPECT_NEAR(one.value(0).mean().item<double>(), 0, 0.025);
  EXPECT_NEAR(one.value(0).std().item<double>(), 0.5, 0.018);
  EXPECT_TRUE(at::equal(one.values(), same.values()));
  EXPECT_FALSE(at::equal(one.value(0), other.value(0)));
  EXPECT_FALSE(at::equal(one.value(0), one.value(1)));
  EXPECT_TRUE(at::equal(one.value(2), at::full({9}, 3.0f)));
}

// In bfloat16 the model multiplies with a rounded copy, which a step must refresh; norms and a model in float use the values themselves.
TEST(Parameters, LowPrecisionFollowsAfterRefresh) {
  Parameters low(three(), 1, at::kCPU, at::kBFloat16, 1), full(three(), 1, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(low.low(0).scalar_type(), at::kBFloat16);
  EXPECT_EQ(low.low(1).scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(low.low(2), low.value(2).to(at::kBFloat16)));
  for (Parameters* parameters : {&low, &full}) parameters->values().add_(1);
  EXPECT_FALSE(at::equal(low.low(2), low.value(2).to(at::kBFloat16)));
  EXPECT_TRUE(at::equal(low.low(1), low.value(1)));
  EXPECT_TRUE(at::equal(full.low(2), full.value(2)));
  low.refresh();
  EXPECT_TRUE(at::equal(low.low(2), low.value(2).to(at::kBFloat16)));
}

}  // namespace
}  // namespace helio::train
