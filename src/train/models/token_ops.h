// SPDX-License-Identifier: Apache-2.0
// What a decoder does between its products, without parameters: differentiable functions of activations.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace helio::train {

// Angles of rotary embeddings (Su et al. 2021, base 10000): position p turns pair j of a head of `size` numbers by p·10000^(−2j/size).
struct Rotation {
  at::Tensor cosine, sine;  // [context, 1, 1, size/2], in the model's precision

  Rotation(std::int64_t context, std::int64_t size, const at::Device& device, at::ScalarType precision);
};

// qkv: [n, T, 3, heads, size] of queries, keys and values. Queries and keys are turned; pair j is (x_j, x_{j + size/2}), as LLaMA's
// public weights have it.
at::Tensor rotated(const at::Tensor& qkv, const Rotation& rotation);

// softmax(q·kᵀ/√size)·v, where no position sees a later one: [n, T, 3, heads, size] to [n, T, heads·size].
at::Tensor causal_attention(const at::Tensor& qkv);

// silu(gate)·up (Shazeer 2020): [n, T, 2·hidden], gates first, to [n, T, hidden].
at::Tensor swiglu(const at::Tensor& gate_up);

}  // namespace helio::train
