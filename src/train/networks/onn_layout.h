// SPDX-License-Identifier: Apache-2.0
// Where the numbers of a trained network lie: all parameters in one flat vector, so that an optimiser, a checkpoint or an average
// handles the network as one thing.
//
//   flat  │ Q of side s₁, of all layers │ Q of side s₂ … │ layer 0: W or d, then b │ layer 1 … │
//
// Blocks of one side stand together whatever their layer, so that one batched product serves them all. A layer of m units and n
// wires in blocks has p = max/min squares of side s = min(m, n) (papers/optinc.md 2.3), each diag(d)·Q with d at the output:
//
//   tall, m = p·s:  W = [D₀Q₀; D₁Q₁; …]         wide, n = p·s:  W = [D₀Q₀ │ D₁Q₁ │ …]
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "photonics/onn.h"
#include "train/networks/onn_recipe.h"

namespace helio::train {

struct LayerShape {
  std::int64_t units = 0, wires = 0;
  bool factors = false;    // parameters are Q and d (ud)
  bool projected = false;  // parameters are W, projected on blocks now and then (proj)

  std::int64_t side() const { return std::min(units, wires); }
  std::int64_t blocks() const { return std::max(units, wires) / side(); }
};

// Views into a flat vector.
struct LayerParts {
  at::Tensor weights;            // units × wires; none with factors
  at::Tensor rotations, scales;  // blocks × side × side, blocks × side; with factors
  at::Tensor bias;               // units
};

class OnnLayout {
 public:
  // Requires: recipe.check() has passed.
  explicit OnnLayout(const OnnRecipe& recipe);

  std::int64_t size() const { return size_; }
  const std::vector<LayerShape>& shapes() const { return shapes_; }
  std::vector<LayerParts> parts(const at::Tensor& flat) const;
  // All Q of one side together, one tensor per side.
  std::vector<at::Tensor> rotations(const at::Tensor& flat) const;

  // Start values (2.4): Q uniform over the orthogonal group, d = √2 (tall) or √(2/p) (wide), dense weights Kaiming-uniform, biases
  // uniform in ±1/√n; the first layer times `first_gain`. On the CPU.
  at::Tensor start(const OnnRecipe& recipe) const;
  // In place: rotations made orthogonal again, projected layers projected.
  void settle(at::Tensor& flat) const;
  // The network in double precision, its rotations settled in that precision.
  photonics::Onn network(const at::Tensor& flat, const OnnRecipe& recipe) const;

 private:
  struct Side {
    std::int64_t side = 0, blocks = 0, offset = 0;
  };
  std::vector<LayerShape> shapes_;
  std::vector<std::int64_t> rotation_offset_, offset_;  // per layer
  std::vector<Side> sides_;
  std::int64_t size_ = 0;
};

// The blocks of a matrix as blocks × side × side: a view, whichever way they stand.
at::Tensor blocks_of(const at::Tensor& weights, const LayerShape& shape);

}  // namespace helio::train
