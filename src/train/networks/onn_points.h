// SPDX-License-Identifier: Apache-2.0
// All inputs an averager can meet, with the symbols that should leave: the finite set it learns and is counted on.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>

#include "base/averaging.h"

namespace helio::train {

struct OnnPoints {
  at::Tensor inputs;   // points × lights, in [−1, 1]
  at::Tensor symbols;  // points × outputs, lowest first, as numbers
  double top = 3;      // the highest symbol
};

// In the order of photonics::Grid. Requires: the grid fits in memory.
OnnPoints all_points(const AveragingTask& task, const c10::Device& device);

struct PointCount {
  std::int64_t wrong = 0;         // points with a wrong symbol
  double margin = 0;              // distance of the worst output from a wrong decision; negative where one was made
  double mean_squared_error = 0;  // of a symbol, outputs beyond the lowest and highest symbol counting as those
};

// What `network` (points × lights to points × outputs) makes of all points, in single precision.
PointCount count(const OnnPoints& points, const std::function<at::Tensor(const at::Tensor&)>& network);

}  // namespace helio::train
