// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>
#ifdef HELIO_CUDA_KERNELS
#include <c10/cuda/CUDAStream.h>
#endif

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "train/models/batch_norm.h"
#include "train/models/batch_norm_kernel.h"

namespace helio::train {

int BatchNormShape::columns() const {
  int columns = 1;
  while (columns < 32 && 2 * columns <= channels / group()) columns *= 2;
  return columns;
}

int BatchNormShape::chunks() const {
  const int groups = channels / group();
  return (groups + columns() - 1) / columns();
}

// Enough blocks for the largest device of today, as long as each thread has a few rows to itself.
int BatchNormShape::splits() const {
  constexpr std::int64_t kBlocks = 1056, kRowsOfThread = 4;
  const std::int64_t wanted = kBlocks / (static_cast<std::int64_t>(chunks()) * servers);
  const std::int64_t sensible = rows / (lanes() * kRowsOfThread);
  return static_cast<int>(std::max<std::int64_t>(1, std::min(wanted, sensible)));
}

std::int64_t BatchNormShape::scratch() const {
  return std::int64_t{2} * servers * (splits() + 1) * channels;  // partial sums, then two coefficients
}

#ifdef HELIO_CUDA_KERNELS

namespace {

BatchNormShape shape_of(const BatchNormInput& input) {
  const int servers = static_cast<int>(input.running_mean.size(0)), channels = static_cast<int>(input.x.size(1));
  return {input.x.scalar_type() == at::kBFloat16, servers, input.x.numel() / channels / servers, channels};
}

const float* read(const at::Tensor& tensor) { return tensor.data_ptr<float>(); }
float* write(const at::Tensor& tensor) { return tensor.data_ptr<float>(); }

}  // namespace

bool fused_batch_norm_fits(const at::Tensor& x) {
  const bool low = x.scalar_type() == at::kBFloat16;
  return x.is_cuda() && (low || x.scalar_type() == at::kFloat) && x.is_contiguous(at::MemoryFormat::ChannelsLast) &&
         x.size(1) % (low ? 8 : 4) == 0;
}

BatchNormOutput fused_batch_norm(const BatchNormInput& input) {
  const BatchNormShape shape = shape_of(input);
  BatchNormOutput output{at::empty_like(input.x), at::empty_like(input.running_mean),
                         at::empty_like(input.running_mean)};
  const at::Tensor scratch = at::empty({shape.scratch()}, input.scale.options());
  BatchNormForward forward;
  forward.x = input.x.data_ptr();
  if (input.residual.defined()) forward.residual = input.residual.data_ptr();
  forward.scale = read(input.scale);
  forward.shift = read(input.shift);
  forward.running_mean = write(input.running_mean);
  forward.running_variance = write(input.running_variance);
  forward.mean = write(output.mean);
  forward.inverse = write(output.inverse);
  forward.y = output.y.data_ptr();
  forward.scratch = write(scratch);
  forward.relu = input.relu;
  forward.epsilon = static_cast<float>(kBatchNormEpsilon);
  forward.momentum = static_cast<float>(kBatchNormMomentum);
  launch_batch_norm(shape, forward, c10::cuda::getCurrentCUDAStream());
  return output;
}

BatchNormSlopes fused_batch_norm_backward(const BatchNormInput& input, const BatchNormOutput& output,
                                          const at::Tensor& dy, at::Tensor dscale, at::Tensor dshift) {
  const BatchNormShape shape = shape_of(input);
  const bool residual = input.residual.defined();
  BatchNormSlopes slopes{at::empty_like(input.x), residual ? dy : at::Tensor()};
  if (residual && input.relu) slopes.residual = at::empty_like(input.x);
  const at::Tensor scratch = at::empty({shape.scratch()}, input.scale.options());
  BatchNormBackward backward;
  backward.x = input.x.data_ptr();
  backward.dy = dy.data_ptr();
  backward.y = output.y.data_ptr();
  backward.scale = read(input.scale);
  backward.shift = read(input.shift);
  backward.mean = read(output.mean);
  backward.inverse = read(output.inverse);
  backward.dscale = write(dscale);
  backward.dshift = write(dshift);
  backward.gradient_stride = dscale.stride(0);
  backward.dx = slopes.x.data_ptr();
  if (residual) backward.dresidual = slopes.residual.data_ptr();
  backward.scratch = write(scratch);
  backward.relu = input.relu;
  backward.residual = residual;
  launch_batch_norm_backward(shape, backward, c10::cuda::getCurrentCUDAStream());
  return slopes;
}

#else

bool fused_batch_norm_fits(const at::Tensor&) { return false; }

BatchNormOutput fused_batch_norm(const BatchNormInput&) {
  throw std::logic_error("this build has no fused batch norm");
}

BatchNormSlopes fused_batch_norm_backward(const BatchNormInput&, const BatchNormOutput&, const at::Tensor&, at::Tensor,
                                          at::Tensor) {
  throw std::logic_error("this build has no fused batch norm");
}

#endif

}  // namespace helio::train
