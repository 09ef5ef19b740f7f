// SPDX-License-Identifier: Apache-2.0
#include "train/models/batch_norm.h"

#include <ATen/ATen.h>

namespace helio::train {

BatchNormOutput portable_batch_norm(const BatchNormInput& input) {
  const std::int64_t servers = input.running_mean.size(0), batch = input.x.size(0) / servers;
  BatchNormOutput output{at::empty_like(input.x), at::empty_like(input.running_mean),
                         at::empty_like(input.running_mean)};
  for (std::int64_t i = 0; i < servers; ++i) {
    const auto [y, mean, inverse] =
        at::native_batch_norm(input.x.narrow(0, i * batch, batch), input.scale, input.shift, input.running_mean[i],
                              input.running_variance[i], true, kBatchNormMomentum, kBatchNormEpsilon);
    output.y.narrow(0, i * batch, batch).copy_(y);
    output.mean[i].copy_(mean);
    output.inverse[i].copy_(inverse);
  }
  if (input.residual.defined()) output.y.add_(input.residual);
  if (input.relu) output.y.relu_();
  return output;
}

BatchNormSlopes portable_batch_norm_backward(const BatchNormInput& input, const BatchNormOutput& output,
                                             const at::Tensor& dy, at::Tensor dscale, at::Tensor dshift) {
  const std::int64_t servers = input.running_mean.size(0), batch = input.x.size(0) / servers;
  const at::Tensor through = input.relu ? at::threshold_backward(dy, output.y, 0) : dy;
  BatchNormSlopes slopes{at::empty_like(input.x), input.residual.defined() ? through : at::Tensor()};
  for (std::int64_t i = 0; i < servers; ++i) {
    const auto [x, scale, shift] = at::native_batch_norm_backward(
        through.narrow(0, i * batch, batch), input.x.narrow(0, i * batch, batch), input.scale, input.running_mean[i],
        input.running_variance[i], output.mean[i], output.inverse[i], true, kBatchNormEpsilon, {true, true, true});
    slopes.x.narrow(0, i * batch, batch).copy_(x);
    dscale[i].copy_(scale);
    dshift[i].copy_(shift);
  }
  return slopes;
}

}  // namespace helio::train
