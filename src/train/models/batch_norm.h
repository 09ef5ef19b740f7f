// SPDX-License-Identifier: Apache-2.0
// Batch norm, + residual, ReLU, for N servers at once: the arithmetic behind server_ops.h, forward and backward.
//
//     portable   libtorch's own batch norm, server by server, then the sum, then the ReLU
//     fused      our CUDA kernels (batch_norm_kernel.h): each number is read and written as rarely as it can be
//
// Both give the same numbers but for rounding; batch_norm_difference says how far they are apart on a device.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace helio::train {

struct BatchNormInput {
  at::Tensor x;                               // [N·b, C, H, W], channels-last
  at::Tensor residual;                        // the same, or undefined
  at::Tensor scale, shift;                    // [C], float
  at::Tensor running_mean, running_variance;  // [N, C], float: updated by forward
  bool relu = false;
};

struct BatchNormOutput {
  at::Tensor y;
  at::Tensor mean, inverse;  // [N, C], float: of each micro-batch; inverse is 1/√(variance + ε)
};

struct BatchNormSlopes {
  at::Tensor x, residual;  // residual is undefined where there was none
};

inline constexpr double kBatchNormEpsilon = 1e-5, kBatchNormMomentum = 0.1;

// `dscale` and `dshift`, [N, C], float, are written; their rows may lie apart.
BatchNormOutput portable_batch_norm(const BatchNormInput& input);
BatchNormSlopes portable_batch_norm_backward(const BatchNormInput& input, const BatchNormOutput& output,
                                             const at::Tensor& dy, at::Tensor dscale, at::Tensor dshift);

// Whether fused kernels are in this build and fit x: on CUDA, channels-last, float or bfloat16, whole 16-byte groups of channels.
bool fused_batch_norm_fits(const at::Tensor& x);
// Requires: fused_batch_norm_fits(input.x).
BatchNormOutput fused_batch_norm(const BatchNormInput& input);
BatchNormSlopes fused_batch_norm_backward(const BatchNormInput& input, const BatchNormOutput& output,
                                          const at::Tensor& dy, at::Tensor dscale, at::Tensor dshift);

// The largest difference of the fused version from the portable one in double precision, over several shapes, with and without residual and
// ReLU, forward and backward, in float and bfloat16, in units of what rounding explains. Throws Error(kInfeasible) where the fused
// kernels are not.
struct Difference {
  double roundings = 0;
  std::string where;
};
Difference batch_norm_difference(const at::Device& device);

}  // namespace helio::train
