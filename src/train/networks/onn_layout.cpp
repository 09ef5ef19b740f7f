// SPDX-License-Identifier: Apache-2.0
#include "train/networks/onn_layout.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "train/networks/orthogonal.h"

namespace helio::train {
namespace {

at::Tensor uniform(at::IntArrayRef shape, double bound, Random& random) {
  at::Tensor values = at::empty(shape, at::kDouble);
  double* to = values.data_ptr<double>();
  for (std::int64_t i = 0; i < values.numel(); ++i) to[i] = bound * (2 * random.uniform() - 1);
  return values;
}

// Uniform over the orthogonal group: QR of normal deviates, with R's diagonal made positive.
at::Tensor random_rotations(at::IntArrayRef shape, Random& random) {
  at::Tensor normal = at::empty(shape, at::kDouble);
  double* to = normal.data_ptr<double>();
  for (std::int64_t i = 0; i < normal.numel(); ++i) to[i] = random.normal();
  const auto [q, r] = at::linalg_qr(normal);
  return q * r.diagonal(0, 1, 2).sign().unsqueeze(1);
}

photonics::Matrix matrix_of(const at::Tensor& values) {
  const at::Tensor here = values.contiguous();
  return Eigen::Map<const photonics::Matrix>(here.data_ptr<double>(), here.size(0), here.size(1));
}

}  // namespace

at::Tensor blocks_of(const at::Tensor& weights, const LayerShape& shape) {
  if (shape.units >= shape.wires) return weights.view({shape.blocks(), shape.side(), shape.side()});
  return weights.view({shape.side(), shape.blocks(), shape.side()}).permute({1, 0, 2});
}

OnnLayout::OnnLayout(const OnnRecipe& recipe) {
  for (std::size_t i = 0; i + 1 < recipe.widths.size(); ++i) {
    const bool blocks = std::ranges::find(recipe.block_layers, static_cast<int>(i)) != recipe.block_layers.end();
    shapes_.push_back({recipe.widths[i + 1], recipe.widths[i], blocks && recipe.structure == TrainedStructure::kUd,
                       blocks && recipe.structure == TrainedStructure::kProj});
  }

  // Rotations first, side by side.
  std::map<std::int64_t, std::vector<std::size_t>> by_side;
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i].factors) by_side[shapes_[i].side()].push_back(i);
  rotation_offset_.assign(shapes_.size(), 0);
  for (const auto& [side, layers] : by_side) {
    sides_.push_back({side, 0, size_});
    for (std::size_t layer : layers) {
      rotation_offset_[layer] = size_;
      sides_.back().blocks += shapes_[layer].blocks();
      size_ += shapes_[layer].blocks() * side * side;
    }
  }

  // Then what each layer has besides.
  for (const LayerShape& shape : shapes_) {
    offset_.push_back(size_);
    size_ += (shape.factors ? shape.blocks() * shape.side() : shape.units * shape.wires) + shape.units;
  }
}

std::vector<LayerParts> OnnLayout::parts(const at::Tensor& flat) const {
  std::vector<LayerParts> parts;
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    const LayerShape& shape = shapes_[i];
    const std::int64_t side = shape.side(), blocks = shape.blocks();
    LayerParts part;
    std::int64_t at = offset_[i];
    if (shape.factors) {
      part.rotations = flat.narrow(0, rotation_offset_[i], blocks * side * side).view({blocks, side, side});
      part.scales = flat.narrow(0, at, blocks * side).view({blocks, side});
      at += blocks * side;
    } else {
      part.weights = flat.narrow(0, at, shape.units * shape.wires).view({shape.units, shape.wires});
      at += shape.units * shape.wires;
    }
    part.bias = flat.narrow(0, at, shape.units);
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<at::Tensor> OnnLayout::rotations(const at::Tensor& flat) const {
  std::vector<at::Tensor> all;
  for (const Side& side : sides_)
    all.push_back(
        flat.narrow(0, side.offset, side.blocks * side.side * side.side).view({side.blocks, side.side, side.side}));
  return all;
}

at::Tensor OnnLayout::start(const OnnRecipe& recipe) const {
  at::Tensor flat = at::zeros({size_}, at::kDouble);
  std::vector<LayerParts> all = parts(flat);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Random random = Random(recipe.seed).split(i);
    const LayerShape& shape = shapes_[i];
    const double gain = i == 0 ? recipe.first_gain : 1, inputs = static_cast<double>(shape.wires);
    if (shape.factors) {
      all[i].rotations.copy_(random_rotations(all[i].rotations.sizes(), random));
      all[i].scales.fill_(gain *
                          std::sqrt(shape.units >= shape.wires ? 2.0 : 2.0 / static_cast<double>(shape.blocks())));
    } else {
      all[i].weights.copy_(uniform(all[i].weights.sizes(), gain * std::sqrt(6 / inputs), random));
    }
    all[i].bias.copy_(uniform(all[i].bias.sizes(), gain / std::sqrt(inputs), random));
  }
  settle(flat);
  return flat.to(at::kFloat);
}

void OnnLayout::settle(at::Tensor& flat) const {
  for (at::Tensor& group : rotations(flat)) group.copy_(nearest_rotation(group));
  std::vector<LayerParts> all = parts(flat);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!shapes_[i].projected) continue;
    at::Tensor blocks = blocks_of(all[i].weights, shapes_[i]);
    blocks.copy_(nearest_scaled_rotation(blocks));
  }
}

photonics::Onn OnnLayout::network(const at::Tensor& flat, const OnnRecipe& recipe) const {
  at::Tensor exact = flat.to(at::kCPU).to(at::kDouble).clone();
  settle(exact);
  photonics::Onn onn;
  onn.task = recipe.task;
  onn.input_scale = 2.0 / static_cast<double>(recipe.task.levels() - 1);
  onn.input_offset = -1;
  const std::vector<LayerParts> all = parts(exact);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LayerShape& shape = shapes_[i];
    at::Tensor weights = all[i].weights;
    if (shape.factors) {
      weights = at::empty({shape.units, shape.wires}, at::kDouble);
      blocks_of(weights, shape).copy_(all[i].rotations * all[i].scales.unsqueeze(2));
    }
    photonics::Layer layer;
    layer.weights = matrix_of(weights);
    layer.bias = matrix_of(all[i].bias.unsqueeze(1));
    if (i + 1 < all.size()) layer.activation = trained_activation(recipe.activation);
    layer.structure = shape.factors || shape.projected ? photonics::Structure::kUd : photonics::Structure::kSvd;
    onn.layers.push_back(std::move(layer));
  }
  onn.check();
  return onn;
}

}  // namespace helio::train
