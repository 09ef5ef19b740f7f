// SPDX-License-Identifier: Apache-2.0
#include "train/models/mlp.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "train/models/servers_alone.h"

namespace helio::train {
namespace {

ModelSpec small() {
  ModelSpec spec;
  spec.name = "mlp";
  spec.classes = 4;
  spec.channels = 2;
  spec.side = 4;
  spec.width = 16;
  return spec;
}

// 32 → 16 → 16 → 4, each with a bias: 33·16 + 17·16 + 17·4.
TEST(Mlp, CountsItsParameters) {
  const auto model = make_model(small(), 2, at::kCPU, at::kFloat, 1);
  EXPECT_EQ(model->parameters().count(), 33 * 16 + 17 * 16 + 17 * 4);
  EXPECT_FALSE(model->reads_tokens());
}

TEST(Mlp, ServersAreThemselves) {
  at::manual_seed(1);
  const at::Tensor images = at::randn({12, 2, 4, 4}), targets = at::randint(4, {12}, at::kLong);
  expect_servers_alone(small(), images, targets, 3, 1e-5);
  expect_slope(small(), images, targets, 1e-2, 0.01);
}

// Class c lights channel 0 or 1 at one of two corners. Plain gradient descent on the mean of the servers' gradients learns it.
TEST(Mlp, LearnsByPlainGradientDescent) {
  at::manual_seed(2);
  const at::Tensor targets = at::arange(24, at::kLong).remainder(4), images = at::randn({24, 2, 4, 4}) * 0.3;
  for (std::int64_t i = 0; i < 24; ++i) images[i][i % 2][i % 4 / 2 * 3][0] += 2;
  const auto model = make_model(small(), 3, at::kCPU, at::kFloat, 1);
  const auto loss = [&] {
    return server_losses(model->scores(images, Pass::kTraining), targets, 3).mean().item<double>();
  };
  const double before = loss();
  for (int step = 0; step < 30; ++step) {
    backward(*model, images, targets);
    model->parameters().values().sub_(model->parameters().gradients().mean(0), 0.2);
    model->parameters().refresh();
  }
  EXPECT_NEAR(before, std::log(4.0), 0.8);  // it begins by guessing
  EXPECT_LT(loss(), 0.1 * before);
  const at::Tensor found = model->scores(images, Pass::kEvaluation).argmax(1);
  EXPECT_TRUE(at::equal(found, targets));
}

// Width 10^9 has 10^18 weights between hidden layers, 4·(5 + 1)·10^18 bytes on one server: past any memory, and said before any of it is
// asked for. A million million layers are not even listed.
TEST(Mlp, MoreThanMemoryHoldsIsRefusedWithItsSize) {
  for (const auto& [width, layers] :
       {std::pair<std::int64_t, std::int64_t>{1'000'000'000, 2}, {1, 1'000'000'000'000}}) {
    ModelSpec spec = small();
    spec.width = width;
    spec.layers = layers;
    try {
      make_model(spec, 1, at::kCPU, at::kFloat, 1);
      FAIL() << "made";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      EXPECT_NE(error.message().find("GiB"), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace helio::train
