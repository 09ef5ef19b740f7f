// SPDX-License-Identifier: Apache-2.0
// A model's parameters as flat vectors, one gradient for each server:
//
//     values      [P]      float: what the optimiser steps
//     low         [P]      what the model multiplies with: bfloat16, or the values themselves
//     gradients   [N × P]  float: row i is the gradient of server i's micro-batch, written by server_ops.h
//     decays      [P]      1 where weight decay applies
//
//     │ conv1 ░│ bn1.scale ░│ bn1.shift ░│ …        every parameter begins at a multiple of kAlignment; the gaps are zero
//
// Weights of convolutions lie there in the order of channels-last, so that views of the flat vectors are what kernels like.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace helio::train {

struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  double constant = 0;  // start value,
  double sigma = 0;     // or spread of normal start values around it
  bool decays = true;   // weight decay; not for biases and norms
  bool low = true;      // multiplied in the model's precision; norms stay in float
};

class Parameters {
 public:
  static constexpr std::int64_t kAlignment = 64;  // elements

  // Start values are drawn on the CPU by base/random, so that they are the same for every device and libtorch: parameter k from stream
  // k of the seed, in the order of memory. `precision` is at::kFloat or at::kBFloat16.
  Parameters(std::vector<ParameterSpec> specs, int servers, const at::Device& device, at::ScalarType precision,
             std::uint64_t seed);

  const std::vector<ParameterSpec>& specs() const { return specs_; }
  int servers() const { return servers_; }
  std::int64_t count() const { return count_; }    // of numbers that are learnt
  std::int64_t length() const { return length_; }  // P, gaps counted in

  // Written in place only: the views below, and `low` in float, share their memory.
  at::Tensor& values() { return values_; }
  at::Tensor& gradients() { return gradients_; }
  const at::Tensor& decays() const { return decays_; }

  // Views of parameter k, in the shape of its spec. `low` is float where the spec says so.
  at::Tensor value(std::size_t k) const;
  at::Tensor low(std::size_t k) const;
  at::Tensor gradient(std::size_t k) const;  // [N, shape…]

  // After a step: low = values.
  void refresh();

 private:
  std::vector<ParameterSpec> specs_;
  std::vector<std::int64_t> offsets_;
  int servers_ = 1;
  std::int64_t count_ = 0, length_ = 0;
  at::Tensor values_, low_, gradients_, decays_;
};

}  // namespace helio::train
