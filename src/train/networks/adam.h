// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma & Ba 2015) over one flat vector of parameters: a handful of launches for a whole network.
#pragma once

#include <ATen/core/Tensor.h>

namespace helio::train {

struct Adam {
  static constexpr double kFirst = 0.9, kSecond = 0.999, kEpsilon = 1e-8;
  at::Tensor first, second;  // running means of the gradient and of its square

  explicit Adam(const at::Tensor& parameters);
  // `rate` is a tensor of one number, so that a recorded step reads today's value (corrected_rate).
  void step(at::Tensor& parameters, const at::Tensor& gradient, const at::Tensor& rate);
  // The learning rate of step 1, 2, … with the correction of means that started at zero.
  static double corrected_rate(double rate, long step);
};

}  // namespace helio::train
