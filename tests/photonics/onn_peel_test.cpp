// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_peel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace helio::photonics {
namespace {

Onn peeled(AveragingTask task, int slope = 1) {
  Construction how;
  how.direction = Direction::kMsb;
  how.activation = ActivationKind::kSaturating;
  how.slope = slope;
  return construct(task, how);
}

// papers/optinc.md 2.5: T + N/2 is compared with N·j·R^k. N = 3, B = 8: X = T + 1, den = 3; the first step stands at X = 3·64 = 192:
// z = T + 1 − 191.5 + ½ = T − 190, and T = Σ 4^k s_k.
TEST(OnnPeel, FirstThresholdsAreThoseOfTheSpec) {
  AveragingTask task;
  task.servers = 3;
  const Onn onn = peeled(task);
  const Layer& first = onn.layers[0];
  for (int k = 0; k < 4; ++k) EXPECT_EQ(first.weights(0, k), 1 << (2 * k));
  EXPECT_DOUBLE_EQ(first.bias[0], -190);
  EXPECT_DOUBLE_EQ(first.bias[1], -190 - 192);
  // The wire of X is at symbol size: T/192.
  EXPECT_NEAR(first.weights(3, 0), 1.0 / 192, 1e-15);
  EXPECT_EQ(first.bias[3], 0);
}

// Half-even: ties go down to even, so the last steps to 1 and 3 stand one higher than with half-up, and the one to 2 does not.
TEST(OnnPeel, HalfEvenShiftsOddSteps) {
  AveragingTask task;
  const Onn up = peeled(task);
  task.rounding = Rounding::kHalfEven;
  const Onn even = peeled(task);
  const Vector shift = up.layers[3].bias - even.layers[3].bias;
  EXPECT_NEAR(shift[0], 1, 1e-12);
  EXPECT_NEAR(shift[1], 0, 1e-12);
  EXPECT_NEAR(shift[2], 1, 1e-12);
  EXPECT_EQ(up.layers[2].bias, even.layers[2].bias);
}

// Amplification by R per symbol: the passed rest is 4·(rest − symbol).
TEST(OnnPeel, TheRestIsAmplifiedPerSymbol) {
  const Onn onn = peeled({});
  EXPECT_NEAR(onn.layers[1].weights(3, 3), 4, 1e-12);
  for (int step = 0; step < 3; ++step) EXPECT_NEAR(onn.layers[1].weights(3, step), -4, 1e-12);
}

}  // namespace
}  // namespace helio::photonics
