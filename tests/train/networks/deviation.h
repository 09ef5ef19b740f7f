// SPDX-License-Identifier: Apache-2.0
// How far square matrices, blocks × s × s, are from orthogonal.
#pragma once

#include <ATen/ATen.h>

namespace helio::train {

// The largest entry of |QᵀQ − 1|.
inline double deviation_from_orthogonal(const at::Tensor& rotations) {
  const at::Tensor one = at::eye(rotations.size(1), rotations.options());
  return (at::bmm(rotations.transpose(1, 2), rotations) - one).abs().max().item().toDouble();
}

}  // namespace helio::train
