// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_ripple.h"

#include <gtest/gtest.h>

#include <vector>

namespace helio::photonics {
namespace {

// papers/optinc.md 2.5, N = R = 4: c_0 = #{j: s_0 ≥ 4j + 2}. With slope 1 the step at 2 has z = 1·(s_0 − 1.5) + ½ = s_0 − 1, and the
// others are 4 and 8 lower; the second of a relu pair is 1 lower.
TEST(OnnRipple, FirstThresholdsAreThoseOfTheSpec) {
  const Onn onn = construct({}, {});
  const Layer& first = onn.layers[0];
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(first.weights(2 * j, 0), 1);
    EXPECT_DOUBLE_EQ(first.bias[2 * j], -1 - 4 * j);
    EXPECT_DOUBLE_EQ(first.bias[2 * j + 1], -2 - 4 * j);
    EXPECT_EQ(first.weights.row(2 * j).cwiseAbs().sum(), 1);  // s_0 alone
  }
  // The later sums wait as they are.
  for (int k = 1; k < 4; ++k) EXPECT_TRUE(passes_only(first, 5 + k));
  // w_1 = s_1 + c_0 ≥ 4: z = w_1 − 3.
  EXPECT_DOUBLE_EQ(onn.layers[1].bias[0], -3);
  EXPECT_EQ(onn.layers[1].weights(0, 6), 1);
  EXPECT_EQ(onn.layers[1].weights(0, 0), 1);
  EXPECT_EQ(onn.layers[1].weights(0, 1), -1);
}

// N = 8: V = T + 4 is cut at bits 3, 5, 7, 9. W_0 only carries (steps at 4, 8, .. 24: W_0 ≤ 24); W_1 ≤ 24 + 1 (h) + 6 = 31 is cut at
// multiples of 2: 15 steps. Saturating: 6 + 3 passed sums; then 15, W_1 not passed (its low bit is cut off), 2 sums.
TEST(OnnRipple, EightServersAreCutInsideAPosition) {
  AveragingTask task;
  task.servers = 8;
  Construction how;
  how.activation = ActivationKind::kSaturating;
  const std::vector<int> widths = construct(task, how).widths();
  EXPECT_EQ(widths[1], 6 + 3);
  EXPECT_EQ(widths[2], 15 + 2);
}

// Level 2 of a 4×4 cascade may pass the largest code by rounding up 255.75: all symbols become 3.
TEST(OnnRipple, OverflowSaturates) {
  AveragingTask task;
  task.in_fraction = 1;
  const Onn onn = construct(task, {});
  OnnForward forward(onn);
  std::vector<std::int64_t> average(1);
  decode(onn, forward.run(Matrix::Constant(5, 1, 12)), average);
  EXPECT_EQ(average[0], 255);
}

}  // namespace
}  // namespace helio::photonics
