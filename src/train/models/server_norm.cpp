// SPDX-License-Identifier: Apache-2.0
#include <ATen/ATen.h>

#include <utility>

#include "base/error.h"
#include "train/models/backward_node.h"
#include "train/models/batch_norm.h"
#include "train/models/server_ops.h"

namespace helio::train {
namespace {

constexpr double kRmsEpsilon = 1e-5;

at::Tensor evaluated_batch_norm(const BatchNormInput& input) {
  at::Tensor y =
      std::get<0>(at::native_batch_norm(input.x, input.scale, input.shift, input.running_mean.mean(0),
                                        input.running_variance.mean(0), false, kBatchNormMomentum, kBatchNormEpsilon));
  if (input.residual.defined()) y.add_(input.residual);
  if (input.relu) y.relu_();
  return y;
}

}  // namespace

at::Tensor batch_norm(Parameters& parameters, std::size_t scale, Statistics& statistics, const at::Tensor& x,
                      const at::Tensor& residual, bool relu, Pass pass) {
  constexpr at::MemoryFormat kChannelsLast = at::MemoryFormat::ChannelsLast;
  const Unrecorded unrecorded;
  const BatchNormInput input{x.contiguous(kChannelsLast),
                             residual.defined() ? residual.contiguous(kChannelsLast) : residual,
                             parameters.value(scale),
                             parameters.value(scale + 1),
                             statistics.mean,
                             statistics.variance,
                             relu};
  if (pass == Pass::kEvaluation) return evaluated_batch_norm(input);

  if (x.numel() / x.size(1) == parameters.servers())
    throw Error(ErrorKind::kInput, "a server has one value per channel, of which batch norm can form no variance", {},
                "Give each server more examples, or larger ones");
  const bool fused = fused_batch_norm_fits(input.x);
  BatchNormOutput output = fused ? fused_batch_norm(input) : portable_batch_norm(input);
  const at::Tensor y = output.y, dscale = parameters.gradient(scale), dshift = parameters.gradient(scale + 1);
  output.y = y.detach();
  const std::vector<at::Tensor> inputs = residual.defined() ? std::vector{x, residual} : std::vector{x};
  return with_backward(y, inputs, [=](const at::Tensor& slope) -> std::vector<at::Tensor> {
    const at::Tensor dy = slope.contiguous(kChannelsLast);
    const BatchNormSlopes slopes = fused ? fused_batch_norm_backward(input, output, dy, dscale, dshift)
                                         : portable_batch_norm_backward(input, output, dy, dscale, dshift);
    if (!slopes.residual.defined()) return {slopes.x};
    return {slopes.x, slopes.residual};
  });
}

// With r = 1/√(mean(x²) + ε) of each row and u = dy·scale:  dx = r·(u − x·r²·mean(u·x)),  dscale = Σ dy·x·r over a server's rows.
at::Tensor rms_norm(Parameters& parameters, std::size_t scale, const at::Tensor& x) {
  const Unrecorded unrecorded;
  const std::int64_t width = x.size(-1);
  const at::Tensor weight = parameters.value(scale), gradient = parameters.gradient(scale);
  const at::Tensor inverse =
      at::norm(x, 2, {-1}, true, at::kFloat).square_().div_(static_cast<double>(width)).add_(kRmsEpsilon).rsqrt_();
  const at::Tensor y = at::mul(x, inverse).mul_(weight).to(x.scalar_type());
  return with_backward(y, {x}, [=](const at::Tensor& dy) -> std::vector<at::Tensor> {
    const at::Tensor normal = at::mul(x, inverse);  // float
    const at::Tensor products = normal * dy;
    at::Tensor written = gradient;
    at::sum_out(written, products.view({gradient.size(0), -1, width}), {1});
    const at::Tensor mean = at::matmul(products, weight).div_(static_cast<double>(width)).unsqueeze(-1);
    return {at::mul(dy, weight).sub_(normal.mul_(mean)).mul_(inverse).to(x.scalar_type())};
  });
}

}  // namespace helio::train
