// SPDX-License-Identifier: Apache-2.0
// What N servers at once must equal: a model of one server, fed with one server's micro-batch.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "train/models/model.h"
#include "train/models/near.h"

namespace helio::train {

// [N]: the mean cross-entropy of each server's examples. Backward from their sum, row i of the gradients is that of server i's own loss.
inline at::Tensor server_losses(const at::Tensor& scores, const at::Tensor& targets, int servers) {
  return at::nll_loss(at::log_softmax(scores, 1), targets, {}, at::Reduction::None).view({servers, -1}).mean(1);
}

inline void backward(Model& model, const at::Tensor& inputs, const at::Tensor& targets) {
  const at::Tensor scores = model.scores(inputs, Pass::kTraining);
  server_losses(scores, targets, model.parameters().servers()).sum().backward();
}

// Row i of the gradients, and of every running statistic, are those of a single server with micro-batch i. Parameters are moved off
// their start values first, so that none of them is without effect.
inline void expect_servers_alone(const ModelSpec& spec, const at::Tensor& inputs, const at::Tensor& targets,
                                 int servers, double tolerance) {
  const auto together = make_model(spec, servers, at::kCPU, at::kFloat, 3);
  at::Tensor& values = together->parameters().values();
  values.add_(at::randn_like(values), 0.05);
  backward(*together, inputs, targets);
  const std::int64_t batch = inputs.size(0) / servers, rows = targets.size(0) / servers;
  for (int i = 0; i < servers; ++i) {
    const auto alone = make_model(spec, 1, at::kCPU, at::kFloat, 3);
    alone->parameters().values().copy_(values);
    backward(*alone, inputs.narrow(0, i * batch, batch), targets.narrow(0, i * rows, rows));
    for (std::size_t k = 0; k < alone->parameters().specs().size(); ++k) {
      const at::Tensor expected = alone->parameters().gradient(k)[0];
      EXPECT_GT(expected.abs().max().item<float>(), 0) << alone->parameters().specs()[k].name;
      EXPECT_TRUE(near(together->parameters().gradient(k)[i], expected, tolerance))
          << alone->parameters().specs()[k].name << " of server " << i;
    }
    for (std::size_t k = 0; k < alone->statistics().size(); ++k) {
      EXPECT_TRUE(near(together->statistics()[k].mean[i], alone->statistics()[k].mean[0], tolerance));
      EXPECT_TRUE(near(together->statistics()[k].variance[i], alone->statistics()[k].variance[0], tolerance));
    }
  }
}

// The slope of the loss along the gradient itself, by central differences of two forward passes, against |gradient|.
inline void expect_slope(const ModelSpec& spec, const at::Tensor& inputs, const at::Tensor& targets, double step,
                         double tolerance) {
  const auto model = make_model(spec, 1, at::kCPU, at::kFloat, 3);
  at::Tensor& values = model->parameters().values();
  values.add_(at::randn_like(values), 0.05);
  backward(*model, inputs, targets);
  const double length = model->parameters().gradients().norm().item<double>();
  const at::Tensor direction = model->parameters().gradients()[0] / length, start = values.clone();
  double loss[2];
  for (const int side : {0, 1}) {
    values.copy_(start).add_(direction, side == 0 ? -step : step);
    loss[side] = server_losses(model->scores(inputs, Pass::kTraining), targets, 1).item<double>();
  }
  EXPECT_NEAR((loss[1] - loss[0]) / (2 * step) / length, 1, tolerance);
}

}  // namespace helio::train
