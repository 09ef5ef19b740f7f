// SPDX-License-Identifier: Apache-2.0
// Layers of N data-parallel servers at once. A batch holds the servers' micro-batches one after the other,
//
//     x: [N·b, …]   server 0's b examples, then server 1's, …
//
// All servers have the same weights, so what does not mix examples (convolutions, products, activations) runs on the whole batch; what is
// a server's own is kept apart: the gradient of every parameter (row i of Parameters::gradients) and the statistics of a batch norm.
// The numbers are those of N processes, at the price of one large batch.
//
// Each function is differentiable in x (libtorch's autograd) and writes its parameters' gradients while the backward pass runs, so a
// parameter must be used once in a forward pass. Where x is data no gradient of it is formed. Products run in the precision of x; norms
// and statistics are formed in float. Nothing waits for the device and no sum depends on the order in which threads arrive.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "train/models/parameters.h"

namespace helio::train {

// x: [N·b, C, H, W], channels-last; so is the result.
at::Tensor conv2d(Parameters& parameters, std::size_t weight, const at::Tensor& x, std::int64_t stride,
                  std::int64_t padding);

// x: [N·b, …, in] to [N·b, …, out]; the bias (kNone: none) is parameter `bias`.
inline constexpr std::size_t kNone = static_cast<std::size_t>(-1);
at::Tensor linear(Parameters& parameters, std::size_t weight, std::size_t bias, const at::Tensor& x);

// Running statistics of a batch norm, a row for each server. Evaluation takes their mean over the servers.
struct Statistics {
  at::Tensor mean, variance;  // [N, C], float
};
enum class Pass : std::uint8_t { kTraining, kEvaluation };

// y = (x − mean)/√(variance + ε) · scale + shift, of each server's own micro-batch; then + residual (if defined); then ReLU (if asked).
// The next parameter after `scale` is the shift. Biased variance normalises, the unbiased one is remembered (as in PyTorch).
// Evaluation is not differentiable. Throws Error(kInput) for a server with a single value per channel, which has no variance.
at::Tensor batch_norm(Parameters& parameters, std::size_t scale, Statistics& statistics, const at::Tensor& x,
                      const at::Tensor& residual, bool relu, Pass pass);

// y = x/√(mean(x²) + 1e-5) · scale over the last dimension.
at::Tensor rms_norm(Parameters& parameters, std::size_t scale, const at::Tensor& x);

// tokens: [N·b, T], long, to [N·b, T, width].
at::Tensor embedding(Parameters& parameters, std::size_t table, const at::Tensor& tokens);

}  // namespace helio::train
