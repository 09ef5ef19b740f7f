// SPDX-License-Identifier: Apache-2.0
#include "train/networks/adam.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace helio::train {
namespace {

// The first corrected step moves every parameter by the rate against its gradient's sign, whatever its size: means 0.1·g and
// 0.001·g², corrections 1/0.1 and 1/0.001. With a constant gradient so does every further step.
TEST(Adam, StepsByTheRateAgainstTheSign) {
  at::Tensor parameters = at::zeros({3}, at::kDouble), rate = at::zeros({1}, at::kDouble);
  const at::Tensor gradient = at::tensor({4.0, -0.5, 0.0}).to(at::kDouble);
  Adam adam(parameters);
  for (int step = 1; step <= 5; ++step) {
    rate.fill_(Adam::corrected_rate(0.01, step));
    adam.step(parameters, gradient, rate);
    EXPECT_NEAR(parameters[0].item().toDouble(), -0.01 * step, 1e-7);
    EXPECT_NEAR(parameters[1].item().toDouble(), 0.01 * step, 1e-7);
    EXPECT_EQ(parameters[2].item().toDouble(), 0);
  }
}

}  // namespace
}  // namespace helio::train
