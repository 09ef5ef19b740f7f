// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_points.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace helio::train {
namespace {

AveragingTask task() {
  AveragingTask task;
  task.servers = 2;
  task.bits = 4;
  return task;
}

// N = 2, R = 4: sums 0..6, 7² points, the lowest sum fastest. Point 10 has s = (3, 1): T = 3 + 4 = 7, G = ⌊7/2 + ½⌋ = 4 = (0, 1);
// inputs 2·3/6 − 1 = 0 and 2·1/6 − 1 = −2/3.
TEST(OnnPoints, HoldsEveryInputOnce) {
  const OnnPoints points = all_points(task(), at::kCPU);
  EXPECT_EQ(points.inputs.sizes().vec(), (std::vector<std::int64_t>{49, 2}));
  EXPECT_EQ(points.top, 3);
  EXPECT_NEAR(points.inputs[10][0].item().toDouble(), 0, 1e-6);
  EXPECT_NEAR(points.inputs[10][1].item().toDouble(), -2.0 / 3, 1e-6);
  EXPECT_EQ(points.symbols[10][0].item().toDouble(), 0);
  EXPECT_EQ(points.symbols[10][1].item().toDouble(), 1);
}

// A network that knows the answers, but for what is done to them.
PointCount count_with(const std::function<void(at::Tensor&)>& spoil) {
  const OnnPoints points = all_points(task(), at::kCPU);
  at::Tensor answers = points.symbols.clone();
  spoil(answers);
  return count(points, [&](const at::Tensor&) { return answers; });
}

TEST(OnnPoints, CountsWrongPointsAndMargin) {
  PointCount counted = count_with([](at::Tensor&) {});
  EXPECT_EQ(counted.wrong, 0);
  EXPECT_EQ(counted.margin, 0.5);
  // 0.25 off in one output of point 10 (symbol 1): right still, a quarter from the edge. Mean square 0.0625/98.
  counted = count_with([](at::Tensor& answers) { answers[10][1] += 0.25; });
  EXPECT_EQ(counted.wrong, 0);
  EXPECT_EQ(counted.margin, 0.25);
  EXPECT_NEAR(counted.mean_squared_error, 0.0625 / 98, 1e-9);
  // Two outputs of one point wrong: one point. Exactly on the edge and not a number are wrong, too.
  counted = count_with([](at::Tensor& answers) {
    answers[10] += 0.75;
    answers[11][1] += 0.5;
    answers[12][0] = std::nan("");
  });
  EXPECT_EQ(counted.wrong, 3);
  // Below the lowest symbol is the lowest symbol.
  EXPECT_EQ(count_with([](at::Tensor& answers) { answers[0] -= 5; }).margin, 0.5);
}

}  // namespace
}  // namespace helio::train
