// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_points.h"
#include "photonics/averaging_grid.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace helio::train {

OnnPoints all_points(const AveragingTask& task, const c10::Device& device) {
  const photonics::Grid grid(task);
  const auto count = static_cast<std::int64_t>(grid.size());
  at::Tensor inputs = at::empty({count, task.lights()}, at::kFloat);
  at::Tensor symbols = at::empty({count, task.outputs()}, at::kFloat);
  float *in = inputs.data_ptr<float>(), *out = symbols.data_ptr<float>();
  std::vector<int> point(static_cast<std::size_t>(task.lights()), 0);
  for (std::int64_t p = 0; p < count; ++p) {
    for (int sum : point) *in++ = static_cast<float>(2.0 * sum / static_cast<double>(task.levels() - 1) - 1);
    std::int64_t average = task.target(point);
    for (int k = 0; k < task.outputs(); ++k, average /= task.radix())
      *out++ = static_cast<float>(average % task.radix());
    grid.advance(point);
  }
  return {inputs.to(device), symbols.to(device), static_cast<double>(task.radix() - 1)};
}

PointCount count(const OnnPoints& points, const std::function<at::Tensor(const at::Tensor&)>& network) {
  const std::int64_t all = points.inputs.size(0), block = points.inputs.is_cuda() ? 1 << 17 : 1 << 12;
  std::vector<at::Tensor> wrong, worst, squares;
  for (std::int64_t at = 0; at < all; at += block) {
    const std::int64_t here = std::min(block, all - at);
    const at::Tensor outputs = network(points.inputs.narrow(0, at, here)).clamp(0, points.top);
    const at::Tensor error = (outputs - points.symbols.narrow(0, at, here)).abs();
    const at::Tensor largest = error.amax(1);
    // A distance of exactly one half may be decided either way: it counts as wrong. So does what is not a number.
    wrong.push_back(largest.lt(0.5).logical_not().sum());
    worst.push_back(largest.max());
    squares.push_back(error.square().sum(at::kDouble));
  }
  PointCount counted;
  counted.wrong = at::stack(wrong).sum().item().toLong();
  counted.margin = 0.5 - at::stack(worst).max().item().toDouble();
  counted.mean_squared_error = at::stack(squares).sum().item().toDouble() / static_cast<double>(points.symbols.numel());
  return counted;
}

}  // namespace helio::train
