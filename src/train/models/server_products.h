// SPDX-License-Identifier: Apache-2.0
// The gradient of a weight that multiplies rows, for each server: one batched product of its rows,
//
//     dW_i = dY_iᵀ · X_i,   X: [N·R, in], dY: [N·R, out]
//
// A small weight makes few tiles of output and long sums: such sums are cut into equal parts, whose products fill the device, and the
// parts are added in float, in their order.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace helio::train {

// Into how many parts R rows of each of N servers are cut: a power of two that divides R.
std::int64_t parts_of_rows(std::int64_t servers, std::int64_t rows, std::int64_t out, std::int64_t in);

// gradient: [N, out, in], float, rows of out·in contiguous numbers.
void write_weight_gradient(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& dy);

// gradient: [N, out], float: the sums of each server's rows of dy.
void write_bias_gradient(at::Tensor gradient, const at::Tensor& dy);

}  // namespace helio::train
