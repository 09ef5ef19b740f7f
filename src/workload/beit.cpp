// SPDX-License-Identifier: Apache-2.0
#include "workload/beit.h"

#include <fmt/format.h>

#include "workload/kernel.h"
#include "workload/transformer.h"
#include "workload/transformer_ends.h"

namespace helio::workload {
namespace {

constexpr std::uint64_t kHidden = 1024, kHeads = 16, kLayers = 24;
constexpr std::uint64_t kClasses = 1000;

// The mean over the patches, a norm of it, the classes, and the loss.
Layer classes(std::uint64_t tokens) {
  const double h = static_cast<double>(kHidden), classes = static_cast<double>(kClasses);
  Layer layer{.name = "head", .output_elements = classes};
  layer.parameters = layer.whole_parameters = 2 * kHidden + kHidden * kClasses + kClasses;
  layer.kernels = {memory("mean", Share::kSequence, static_cast<double>(tokens * kHidden)),
                   memory("norm", Share::kWhole, 2 * h), product("classes", Share::kWhole, 1, classes, h),
                   memory("loss", Share::kWhole, 2 * classes)};
  layer.kept_whole_elements = 2 * h + classes;
  return layer;
}

}  // namespace

Workload beit_large(std::uint64_t image) {
  const std::uint64_t side = image / kBeitPatch, count = side * side;
  TransformerShape shape;
  shape.layers = kLayers;
  shape.hidden = kHidden;
  shape.heads = kHeads;
  shape.vocabulary = kClasses;
  shape.sequence = count + 1;
  shape.patch_inputs = 3 * kBeitPatch * kBeitPatch;
  shape.position_kind = Positions::kNone;
  shape.dropout = false;
  shape.causal = false;

  // What BEiT adds to a block, and what it leaves out
  Layer block = transformer_block(shape);
  const std::uint64_t distances = (2 * side - 1) * (2 * side - 1) + 3;
  block.parameters += kHeads * distances + 2 * kHidden;
  block.parameters -= kHidden;
  block.whole_parameters += 2 * kHidden;

  Workload workload{.family = "transformer",
                    .sample = fmt::format("image 3 x {0} x {0} of {1} tokens", image, count + 1),
                    .shape = words_of(shape),
                    .tokens = count + 1,
                    .attention_heads = kHeads};
  workload.layers = {transformer_embedding(shape), std::move(block), classes(count + 1)};
  return workload;
}

}  // namespace helio::workload
