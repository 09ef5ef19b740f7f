// SPDX-License-Identifier: Apache-2.0
#include "train/networks/adam.h"

#include <ATen/ATen.h>

#include <cmath>

namespace helio::train {

Adam::Adam(const at::Tensor& parameters) : first(at::zeros_like(parameters)), second(at::zeros_like(parameters)) {}

void Adam::step(at::Tensor& parameters, const at::Tensor& gradient, const at::Tensor& rate) {
  first.lerp_(gradient, 1 - kFirst);
  second.mul_(kSecond).addcmul_(gradient, gradient, 1 - kSecond);
  parameters.sub_(at::div(first, second.sqrt().add_(kEpsilon)).mul_(rate));
}

double Adam::corrected_rate(double rate, long step) {
  const double t = static_cast<double>(step);
  return rate * std::sqrt(1 - std::pow(kSecond, t)) / (1 - std::pow(kFirst, t));
}

}  // namespace helio::train
