// SPDX-License-Identifier: Apache-2.0
#include "train/models/token_ops.h"

#include <ATen/ATen.h>
#include <torch/version.h>

#include <cmath>

#include "train/models/backward_node.h"

namespace helio::train {
namespace {

constexpr double kRotaryBase = 10000;

// Turned by the angles, or back (direction −1).
at::Tensor turned(const at::Tensor& x, const Rotation& rotation, double direction) {
  const std::int64_t half = x.size(4) / 2, tokens = x.size(1);
  const at::Tensor cosine = rotation.cosine.narrow(0, 0, tokens), sine = rotation.sine.narrow(0, 0, tokens);
  const auto part = [&](const at::Tensor& of, std::int64_t which) {
    return of.narrow(2, 0, 2).narrow(4, which * half, half);
  };
  at::Tensor y = at::empty_like(x, at::MemoryFormat::Contiguous);
  at::Tensor low = part(y, 0), high = part(y, 1);
  at::mul_out(low, part(x, 0), cosine).addcmul_(part(x, 1), sine, -direction);
  at::mul_out(high, part(x, 1), cosine).addcmul_(part(x, 0), sine, direction);
  y.select(2, 2).copy_(x.select(2, 2));
  return y;
}

}  // namespace

Rotation::Rotation(std::int64_t context, std::int64_t size, const at::Device& device, at::ScalarType precision) {
  const at::Tensor pair =
      at::arange(size / 2, at::kDouble).mul_(-2 * std::log(kRotaryBase) / static_cast<double>(size));
  const at::Tensor angles = at::outer(at::arange(context, at::kDouble), pair.exp()).view({context, 1, 1, size / 2});
  cosine = angles.cos().to(precision).to(device);
  sine = angles.sin().to(precision).to(device);
}

at::Tensor rotated(const at::Tensor& qkv, const Rotation& rotation) {
  const Unrecorded unrecorded;
  return with_backward(turned(qkv, rotation, 1), {qkv}, [rotation](const at::Tensor& dy) -> std::vector<at::Tensor> {
    return {turned(dy, rotation, -1)};
  });
}

at::Tensor causal_attention(const at::Tensor& qkv) {
  const std::vector<at::Tensor> parts = qkv.unbind(2);
  const at::Tensor q = parts[0].transpose(1, 2), k = parts[1].transpose(1, 2), v = parts[2].transpose(1, 2);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
  const at::Tensor y = at::scaled_dot_product_attention(q, k, v, {}, 0.0, true);
#else
  const std::int64_t tokens = qkv.size(1);
  const at::Tensor later = at::ones({tokens, tokens}, qkv.options().dtype(at::kBool)).triu(1);
  const at::Tensor scores = at::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(qkv.size(4)));
  const at::Tensor weights = at::softmax(scores.masked_fill(later, -INFINITY), -1, at::kFloat);
  const at::Tensor y = at::matmul(weights.to(qkv.scalar_type()), v);
#endif
  return y.transpose(1, 2).flatten(2);
}

at::Tensor swiglu(const at::Tensor& gate_up) {
  const Unrecorded unrecorded;
  const std::int64_t hidden = gate_up.size(-1) / 2;
  const at::Tensor gate = gate_up.narrow(-1, 0, hidden), up = gate_up.narrow(-1, hidden, hidden);
  return with_backward(at::silu(gate).mul_(up), {gate_up}, [=](const at::Tensor& dy) -> std::vector<at::Tensor> {
    at::Tensor slopes = at::empty_like(gate_up);
    at::Tensor dgate = slopes.narrow(-1, 0, hidden), dup = slopes.narrow(-1, hidden, hidden);
    at::silu_backward_out(dgate, dy * up, gate);
    at::mul_out(dup, at::silu(gate), dy);
    return {slopes};
  });
}

}  // namespace helio::train
