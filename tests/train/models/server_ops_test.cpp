// SPDX-License-Identifier: Apache-2.0
// Every layer against libtorch's own, run server by server with weights as ordinary variables.
#include "train/models/server_ops.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "train/models/near.h"

namespace helio::train {
namespace {

constexpr int kServers = 3;
constexpr double kTolerance = 2e-5;  // sums of some hundred floats, in another order

class ServerOps : public ::testing::Test {
 protected:
  void SetUp() override { at::manual_seed(5); }
};

at::Tensor leaf(const at::Tensor& tensor) { return tensor.detach().clone().set_requires_grad(true); }

// One server's layer: its input and the parameters to its output.
using Plain = std::function<at::Tensor(const at::Tensor& x, const std::vector<at::Tensor>& parameters)>;

// Forward values, input gradients and each row of the parameters' gradients, for a loss Σ y·t with random t.
void expect_like_plain(Parameters& parameters, const at::Tensor& input, const at::Tensor& output,
                       const at::Tensor& input_slopes, const at::Tensor& t, const Plain& plain) {
  const std::int64_t batch = input.size(0) / kServers, rows = output.size(0) / kServers;
  for (std::int64_t i = 0; i < kServers; ++i) {
    std::vector<at::Tensor> leaves;
    for (std::size_t k = 0; k < parameters.specs().size(); ++k) leaves.push_back(leaf(parameters.value(k)));
    at::Tensor x = input.narrow(0, i * batch, batch).detach().clone();
    if (input_slopes.defined()) x.set_requires_grad(true);
    const at::Tensor y = plain(x, leaves);
    (y * t.narrow(0, i * rows, rows)).sum().backward();
    EXPECT_TRUE(near(output.narrow(0, i * rows, rows), y, kTolerance)) << "output of server " << i;
    if (input_slopes.defined()) {
      EXPECT_TRUE(near(input_slopes.narrow(0, i * batch, batch), x.grad(), kTolerance)) << "dx of server " << i;
    }
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      EXPECT_TRUE(near(parameters.gradient(k)[i], leaves[k].grad(), kTolerance))
          << parameters.specs()[k].name << " of server " << i;
    }
  }
}

TEST_F(ServerOps, Convolutions) {
  struct Case {
    std::int64_t in, out, kernel, stride, padding;
  };
  for (const Case& c : {Case{4, 6, 3, 1, 1}, Case{3, 5, 3, 2, 1}, Case{4, 6, 1, 2, 0}, Case{5, 8, 1, 1, 0}}) {
    Parameters parameters({{"weight", {c.out, c.in, c.kernel, c.kernel}, 0, 0.3}}, kServers, at::kCPU, at::kFloat, 1);
    const at::Tensor x = leaf(at::randn({2 * kServers, c.in, 6, 6}).contiguous(at::MemoryFormat::ChannelsLast));
    const at::Tensor y = conv2d(parameters, 0, x, c.stride, c.padding), t = at::randn_like(y);
    EXPECT_TRUE(y.is_contiguous(at::MemoryFormat::ChannelsLast));
    (y * t).sum().backward();
    expect_like_plain(parameters, x, y, x.grad(), t, [&](const at::Tensor& entering, const auto& leaves) {
      return at::conv2d(entering, leaves[0], {}, c.stride, c.padding);
    });
  }
}

// Data needs no gradient, but the weights behind it do.
TEST_F(ServerOps, FirstLayersLeaveTheirInputAlone) {
  Parameters parameters({{"weight", {4, 3, 3, 3}, 0, 0.3}}, kServers, at::kCPU, at::kFloat, 1);
  const at::Tensor x = at::randn({kServers, 3, 5, 5});
  const at::Tensor y = conv2d(parameters, 0, x, 1, 1), t = at::randn_like(y);
  EXPECT_TRUE(y.requires_grad());
  (y * t).sum().backward();
  EXPECT_FALSE(x.grad().defined());
  expect_like_plain(parameters, x, y, {}, t, [](const at::Tensor& entering, const auto& leaves) {
    return at::conv2d(entering, leaves[0], {}, 1, 1);
  });
}

TEST_F(ServerOps, Linear) {
  for (const bool with_bias : {false, true}) {
    std::vector<ParameterSpec> specs = {{"weight", {6, 5}, 0, 0.3}};
    if (with_bias) specs.push_back({"bias", {6}, 0, 0.3});
    Parameters parameters(specs, kServers, at::kCPU, at::kFloat, 1);
    const at::Tensor x = leaf(at::randn({2 * kServers, 4, 5}));
    const at::Tensor y = linear(parameters, 0, with_bias ? 1 : kNone, x), t = at::randn_like(y);
    EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{2 * kServers, 4, 6}));
    (y * t).sum().backward();
    expect_like_plain(parameters, x, y, x.grad(), t, [&](const at::Tensor& entering, const auto& leaves) {
      return with_bias ? at::linear(entering, leaves[0], leaves[1]) : at::linear(entering, leaves[0]);
    });
  }
}

// With and without residual and ReLU; statistics move by a tenth towards the server's own mean and unbiased variance.
TEST_F(ServerOps, BatchNormInTraining) {
  for (const bool with_residual : {false, true})
    for (const bool relu : {false, true}) {
      Parameters parameters({{"scale", {4}, 1, 0.3, false, false}, {"shift", {4}, 0, 0.3, false, false}}, kServers,
                            at::kCPU, at::kFloat, 1);
      Statistics statistics{at::randn({kServers, 4}), at::rand({kServers, 4}) + 0.5};
      const Statistics before{statistics.mean.clone(), statistics.variance.clone()};
      const at::Tensor x =
          leaf((at::randn({2 * kServers, 4, 3, 3}) * 2 + 1).contiguous(at::MemoryFormat::ChannelsLast));
      const at::Tensor residual = with_residual ? leaf(at::randn_like(x)) : at::Tensor();
      const at::Tensor y = batch_norm(parameters, 0, statistics, x, residual, relu, Pass::kTraining);
      const at::Tensor t = at::randn_like(y);
      (y * t).sum().backward();

      std::int64_t server = 0;
      expect_like_plain(parameters, x, y, x.grad(), t, [&](const at::Tensor& entering, const auto& leaves) {
        const at::Tensor mean = entering.mean({0, 2, 3}, true);
        const at::Tensor variance = (entering - mean).square().mean({0, 2, 3}, true);
        at::Tensor plain =
            (entering - mean) / (variance + 1e-5).sqrt() * leaves[0].view({1, 4, 1, 1}) + leaves[1].view({1, 4, 1, 1});
        if (with_residual) plain = plain + residual.narrow(0, 2 * server, 2).detach();
        const std::int64_t count = entering.numel() / 4;
        EXPECT_TRUE(near(statistics.mean[server], before.mean[server] * 0.9 + mean.flatten() * 0.1, kTolerance));
        EXPECT_TRUE(near(statistics.variance[server],
                         before.variance[server] * 0.9 + variance.flatten() * (0.1 * count / (count - 1)), kTolerance));
        ++server;
        return relu ? plain.relu() : plain;
      });
      if (with_residual) {
        const at::Tensor passed = relu ? t * (y > 0) : t;
        EXPECT_TRUE(near(residual.grad(), passed, 1e-7));
      }
    }
}

// (x − mean of means)/√(mean of variances + ε)·scale + shift, for any number of examples; nothing is remembered.
TEST_F(ServerOps, BatchNormInEvaluation) {
  Parameters parameters({{"scale", {2}, 1, 0.3, false, false}, {"shift", {2}, 0, 0.3, false, false}}, 2, at::kCPU,
                        at::kFloat, 1);
  Statistics statistics{at::tensor({1.0f, 2.0f, 3.0f, 6.0f}).view({2, 2}),
                        at::tensor({4.0f, 1.0f, 2.0f, 3.0f}).view({2, 2})};
  const at::Tensor mean_before = statistics.mean.clone(), x = at::randn({3, 2, 2, 2}), residual = at::randn_like(x);
  const at::Tensor y = batch_norm(parameters, 0, statistics, x, residual, true, Pass::kEvaluation);
  const at::Tensor mean = at::tensor({2.0f, 4.0f}).view({1, 2, 1, 1}),
                   variance = at::tensor({3.0f, 2.0f}).view({1, 2, 1, 1});
  const at::Tensor expected = ((x - mean) / (variance + 1e-5).sqrt() * parameters.value(0).view({1, 2, 1, 1}) +
                               parameters.value(1).view({1, 2, 1, 1}) + residual)
                                  .relu();
  EXPECT_TRUE(near(y, expected, kTolerance));
  EXPECT_TRUE(at::equal(statistics.mean, mean_before));
}

TEST_F(ServerOps, ASingleValueHasNoVariance) {
  Parameters parameters({{"scale", {2}, 1, 0, false, false}, {"shift", {2}, 0, 0, false, false}}, 2, at::kCPU,
                        at::kFloat, 1);
  Statistics statistics{at::zeros({2, 2}), at::ones({2, 2})};
  EXPECT_THROW(batch_norm(parameters, 0, statistics, at::randn({2, 2, 1, 1}), {}, false, Pass::kTraining), Error);
}

TEST_F(ServerOps, RmsNorm) {
  Parameters parameters({{"scale", {5}, 1, 0.3, false, false}}, kServers, at::kCPU, at::kFloat, 1);
  const at::Tensor x = leaf(at::randn({2 * kServers, 4, 5}));
  const at::Tensor y = rms_norm(parameters, 0, x), t = at::randn_like(y);
  (y * t).sum().backward();
  expect_like_plain(parameters, x, y, x.grad(), t, [](const at::Tensor& entering, const auto& leaves) {
    return entering * (entering.square().mean(-1, true) + 1e-5).rsqrt() * leaves[0];
  });
}

TEST_F(ServerOps, Embedding) {
  Parameters parameters({{"table", {7, 3}, 0, 1}}, kServers, at::kCPU, at::kFloat, 1);
  const at::Tensor tokens = at::randint(7, {2 * kServers, 5}, at::kLong);
  const at::Tensor y = embedding(parameters, 0, tokens), t = at::randn_like(y);
  (y * t).sum().backward();
  expect_like_plain(parameters, tokens, y, {}, t,
                    [](const at::Tensor& entering, const auto& leaves) { return at::embedding(leaves[0], entering); });
}

// In bfloat16 products round to 8 bits; norms, sums and gradients are kept in float.
TEST_F(ServerOps, LowPrecisionStaysNear) {
  const std::vector<ParameterSpec> specs = {
      {"weight", {16, 16}, 0, 0.25}, {"bias", {16}, 0, 0.3}, {"scale", {16}, 1, 0.2, false, false}};
  Parameters low(specs, kServers, at::kCPU, at::kBFloat16, 1), full(specs, kServers, at::kCPU, at::kFloat, 1);
  const at::Tensor x = leaf(at::randn({2 * kServers, 16})), rounded = leaf(x.to(at::kBFloat16));
  const at::Tensor t = at::randn_like(x);
  const at::Tensor y = linear(full, 0, 1, rms_norm(full, 2, x)), y_low = linear(low, 0, 1, rms_norm(low, 2, rounded));
  EXPECT_EQ(y_low.scalar_type(), at::kBFloat16);
  (y * t).sum().backward();
  (y_low * t).sum().backward();
  EXPECT_TRUE(near(y_low, y, 0.02));
  EXPECT_TRUE(near(low.gradients(), full.gradients(), 0.02));
  EXPECT_TRUE(near(rounded.grad(), x.grad(), 0.02));
}

// Without gradients nothing is recorded.
TEST_F(ServerOps, EvaluationIsNotRecorded) {
  Parameters parameters({{"weight", {6, 5}, 0, 0.3}}, kServers, at::kCPU, at::kFloat, 1);
  const at::NoGradGuard unrecorded;
  EXPECT_FALSE(linear(parameters, 0, kNone, at::randn({7, 5})).requires_grad());
}

}  // namespace
}  // namespace helio::train
