// SPDX-License-Identifier: Apache-2.0
#include "train/models/resnet.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "train/models/servers_alone.h"

namespace helio::train {
namespace {

ModelSpec narrow(const char* name) {
  ModelSpec spec;
  spec.name = name;
  spec.classes = 5;
  spec.side = 16;
  spec.width = 8;
  return spec;
}

at::Tensor images(std::int64_t count) {
  return at::randn({count, 3, 16, 16}).contiguous(at::MemoryFormat::ChannelsLast);
}

// A basic block at c channels: 2·9c² + 4c; one that comes from c/2 with a side path: 9c·c/2 + 9c² + c·c/2 + 6c = 14c² + 6c.
// Stem 27·64 + 2·64 = 1,856. Stages: 2·(18·64² + 256) = 147,968; then for c = 128, 256, 512: 32c² + 10c = 525,568, 2,099,712, 8,393,728.
// Last layer 512·10 + 10 = 5,130. Together 11,173,962.
TEST(ResNet, EighteenLayersWithTenClasses) {
  ModelSpec spec;
  const auto model = make_model(spec, 1, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(model->parameters().count(), 1856 + 147968 + 525568 + 2099712 + 8393728 + 5130);
  EXPECT_EQ(model->parameters().count(), 11173962);
  EXPECT_EQ(model->statistics().size(), 20u);  // 1 + 2·8 + 3 side paths
}

// A bottleneck at c inner channels from 4c: 4c² + 9c² + 4c² + 2·(c + c + 4c) = 17c² + 12c. The first of a stage comes from m channels
// and has a side path: m·c + 9c² + 4c² + m·4c + 12c + 8c = 5·m·c + 13c² + 20c, with m = 64 at c = 64 and m = 2c after that.
//   stem                       27·64 + 128                                        =      1,856
//   c =  64, 3 blocks          5·64·64 + 13·64² + 20·64 + 2·(17·64² + 12·64)      =    215,808
//   c = 128, 4 blocks          23·128² + 20·128 + 3·(17·128² + 12·128)            =  1,219,584
//   c = 256, 6 blocks          23·256² + 20·256 + 5·(17·256² + 12·256)            =  7,098,368
//   c = 512, 3 blocks          23·512² + 20·512 + 2·(17·512² + 12·512)            = 14,964,736
//   last                       2048·100 + 100                                     =    204,900
// Together 23,705,252.
TEST(ResNet, FiftyLayersWithHundredClasses) {
  ModelSpec spec;
  spec.name = "resnet50";
  spec.classes = 100;
  const auto model = make_model(spec, 1, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(model->parameters().count(), 1856 + 215808 + 1219584 + 7098368 + 14964736 + 204900);
  EXPECT_EQ(model->parameters().count(), 23705252);
  EXPECT_EQ(model->statistics().size(), 53u);  // 1 + 3·16 + 4 side paths
}

// The network as torchvision writes it down, out of libtorch's own layers. Parameters come in the order of the paths, side path last.
at::Tensor plain_scores(const std::vector<at::Tensor>& parameters, const at::Tensor& inputs, bool bottleneck) {
  std::size_t next = 0;
  const auto layer = [&](const at::Tensor& x, std::int64_t stride) {
    const at::Tensor &weight = parameters[next], &scale = parameters[next + 1], &shift = parameters[next + 2];
    next += 3;
    const at::Tensor y = at::conv2d(x, weight, {}, stride, weight.size(2) / 2);
    return at::batch_norm(y, scale, shift, {}, {}, true, 0.1, 1e-5, false);
  };
  at::Tensor x = layer(inputs, 1).relu();
  for (int stage = 0; stage < 4; ++stage)
    for (int i = 0; i < (bottleneck ? std::array{3, 4, 6, 3}[static_cast<std::size_t>(stage)] : 2); ++i) {
      const std::int64_t stride = stage > 0 && i == 0 ? 2 : 1;
      at::Tensor y;
      if (bottleneck) {
        y = layer(x, 1).relu();
        y = layer(y, stride).relu();
      } else {
        y = layer(x, stride).relu();
      }
      y = layer(y, 1);
      if (i == 0 && (bottleneck || stage > 0)) x = layer(x, stride);
      x = (x + y).relu();
    }
  return at::linear(x.mean({2, 3}), parameters[next], parameters[next + 1]);
}

TEST(ResNet, EqualsThePlainNetwork) {
  at::manual_seed(4);
  for (const char* name : {"resnet18", "resnet50"}) {
    const auto model = make_model(narrow(name), 1, at::kCPU, at::kFloat, 3);
    at::Tensor& values = model->parameters().values();
    values.add_(at::randn_like(values), 0.05);
    std::vector<at::Tensor> leaves;
    for (std::size_t k = 0; k < model->parameters().specs().size(); ++k)
      leaves.push_back(model->parameters().value(k).clone().set_requires_grad(true));
    const at::Tensor batch = images(4), targets = at::randint(5, {4}, at::kLong);
    const at::Tensor expected = plain_scores(leaves, batch, std::string(name) == "resnet50");
    server_losses(expected, targets, 1).sum().backward();
    EXPECT_TRUE(near(model->scores(batch, Pass::kTraining), expected, 1e-3)) << name;
    backward(*model, batch, targets);
    for (std::size_t k = 0; k < leaves.size(); ++k)
      EXPECT_TRUE(near(model->parameters().gradient(k)[0], leaves[k].grad(), 2e-3))
          << name << " " << model->parameters().specs()[k].name;
  }
}

TEST(ResNet, ServersAreThemselves) {
  at::manual_seed(1);
  const at::Tensor targets = at::randint(5, {6}, at::kLong);
  expect_servers_alone(narrow("resnet18"), images(6), targets, 3, 1e-3);
  expect_servers_alone(narrow("resnet50"), images(6), targets, 3, 1e-3);
}

// ReLUs that switch within the step make the slope no straighter than a few percent.
TEST(ResNet, GradientsAreSlopesOfTheLoss) {
  at::manual_seed(2);
  const at::Tensor targets = at::randint(5, {8}, at::kLong);
  expect_slope(narrow("resnet18"), images(8), targets, 2e-3, 0.05);
  expect_slope(narrow("resnet50"), images(8), targets, 2e-3, 0.05);
}

// Blocks begin as identities: their last scale is 0. Convolutions spread by √(2/(out·k²)): 9·8 = 72 for the stem's 3×3 to 8 channels.
TEST(ResNet, StartsAsIdentities) {
  const auto model = make_model(narrow("resnet18"), 1, at::kCPU, at::kFloat, 1);
  int zeros = 0;
  for (std::size_t k = 0; k < model->parameters().specs().size(); ++k) {
    const ParameterSpec& spec = model->parameters().specs()[k];
    zeros += spec.name.ends_with(".scale") && spec.constant == 0;
    EXPECT_EQ(spec.decays, spec.name.ends_with(".weight")) << spec.name;
  }
  EXPECT_EQ(zeros, 8);
  EXPECT_DOUBLE_EQ(model->parameters().specs()[0].sigma, std::sqrt(2.0 / 72));
}

// Statistics that have seen a batch often enough are that batch's; evaluation of it then scores as training did (unbiased against biased
// variance apart, here 1 in 2·8·8 at the fewest).
TEST(ResNet, EvaluationUsesWhatWasRemembered) {
  at::manual_seed(3);
  const auto model = make_model(narrow("resnet18"), 1, at::kCPU, at::kFloat, 1);
  const at::Tensor batch = images(32);
  at::Tensor trained;
  for (int i = 0; i < 80; ++i) {
    const at::NoGradGuard unrecorded;
    trained = model->scores(batch, Pass::kTraining);
  }
  EXPECT_TRUE(near(model->scores(batch, Pass::kEvaluation), trained, 0.02));
  EXPECT_EQ(model->scores(batch.narrow(0, 0, 3), Pass::kEvaluation).size(0), 3);
}

}  // namespace
}  // namespace helio::train
