// SPDX-License-Identifier: Apache-2.0
#include "train/networks/orthogonal.h"

#include <ATen/ATen.h>

namespace helio::train {

void to_tangent(at::Tensor& gradient, const at::Tensor& rotations) {
  const at::Tensor inner = at::bmm(rotations.transpose(1, 2), gradient);
  gradient.baddbmm_(rotations, inner + inner.transpose(1, 2), 1, -0.5);
}

void retract(at::Tensor& rotations) {
  const at::Tensor once = at::baddbmm(rotations, rotations, at::bmm(rotations.transpose(1, 2), rotations), 1.5, -0.5);
  at::baddbmm_out(rotations, once, once, at::bmm(once.transpose(1, 2), once), 1.5, -0.5);
}

at::Tensor nearest_rotation(const at::Tensor& nearly) {
  at::Tensor result = nearly.clone();
  // Far from the group an iteration grows small singular values 1.5-fold; near it the error is squared.
  for (int i = 0; i < 15; ++i) retract(result);
  return result;
}

at::Tensor polar_factor(const at::Tensor& matrices) {
  const auto [left, values, right] = at::linalg_svd(matrices, /*full_matrices=*/false);
  return at::bmm(left, right);
}

at::Tensor nearest_scaled_rotation(const at::Tensor& blocks) {
  at::Tensor scale = blocks.norm(2, {2}, /*keepdim=*/true), rotation;
  for (int i = 0; i < 6; ++i) {
    rotation = polar_factor(scale * blocks);
    scale = (blocks * rotation).sum(2, /*keepdim=*/true);
  }
  return scale * rotation;
}

}  // namespace helio::train
