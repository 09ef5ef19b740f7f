// SPDX-License-Identifier: Apache-2.0
// The network while it learns: forward over a batch of points, gradient back, in a few launches per layer. Everything is written out
// by hand, so that a step is the same sequence of kernels every time and can be recorded (device.h).
//
//   points × wires ─▷ W = diag(d)·Q ─▷ z = x·Wᵀ + b ─▷ activation ─▷ … ─▷ y, points × symbols
//
// Component noise. Errors of phases and couplers turn Q into Q + E, whose entries scatter alike (ComponentNoise::entry_sigma). Training
// draws E anew for every step: a stand-in that costs one launch; the real meshes are evaluated after training. A matrix that is
// compiled by SVD sees the errors of two meshes with its singular values between them. Noise of detectors is drawn once for a step and unit,
// not for each point: its mean over steps is the same, at no launch more.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "train/networks/onn_layout.h"

namespace helio::train {

class OnnModel {
 public:
  // `flat` and `gradient` are kept as views: what is written there is what the model computes with.
  OnnModel(const OnnRecipe& recipe, const OnnLayout& layout, const at::Tensor& flat, const at::Tensor& gradient);

  // Points × wires to points × symbols. With `errors` (a flat vector of normal deviates, undefined for none) the components err.
  at::Tensor forward(const at::Tensor& points, const at::Tensor& errors = {});
  // From ∂loss/∂y of the last forward pass to the gradient, rotations in their tangent space.
  void backward(const at::Tensor& outputs);

 private:
  struct Stage {
    LayerShape shape;
    LayerParts values, slopes;     // views into flat and gradient
    at::Tensor weights, gradient;  // units × wires, as multiplied
    at::Tensor rotations;          // as used: with the components' errors
    at::Tensor entering, before;   // of the last forward pass
  };
  void form_weights(Stage& stage, const LayerParts* errors);

  bool saturating_;
  double leak_;
  ComponentNoise noise_;
  const OnnLayout& layout_;
  at::Tensor flat_, gradient_;
  std::vector<Stage> stages_;
};

}  // namespace helio::train
