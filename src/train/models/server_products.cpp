// SPDX-License-Identifier: Apache-2.0
#include "train/models/server_products.h"

#include <ATen/ATen.h>

namespace helio::train {

std::int64_t parts_of_rows(std::int64_t servers, std::int64_t rows, std::int64_t out, std::int64_t in) {
  constexpr std::int64_t kTile = 128, kTilesWanted = 128, kShortestSum = 512;
  const std::int64_t tiles = servers * ((out + kTile - 1) / kTile) * ((in + kTile - 1) / kTile);
  std::int64_t parts = 1;
  while (tiles * parts < kTilesWanted && rows % (2 * parts) == 0 && rows / (2 * parts) >= kShortestSum) parts *= 2;
  return parts;
}

void write_weight_gradient(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& dy) {
  const std::int64_t servers = gradient.size(0), rows = x.size(0) / servers, out = dy.size(1), in = x.size(1);
  const std::int64_t parts = parts_of_rows(servers, rows, out, in);
  const at::Tensor products = at::bmm(dy.reshape({servers * parts, rows / parts, out}).transpose(1, 2),
                                      x.reshape({servers * parts, rows / parts, in}));
  at::Tensor target = gradient;
  if (parts == 1)
    target.copy_(products);
  else
    at::sum_out(target, products.view({servers, parts, out, in}), {1}, false, at::kFloat);
}

void write_bias_gradient(at::Tensor gradient, const at::Tensor& dy) {
  at::sum_out(gradient, dy.reshape({gradient.size(0), -1, dy.size(1)}), {1}, false, at::kFloat);
}

}  // namespace helio::train
