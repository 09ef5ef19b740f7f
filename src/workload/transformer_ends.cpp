// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer_ends.h"

#include "workload/kernel.h"
#include "workload/transformer_sizes.h"

namespace helio::workload {
namespace {

// One row of each patch's numbers times a matrix; then the class token and positions: reads and writes.
Layer patches(const TransformerShape& shape, const Sizes& z) {
  const std::uint64_t h = shape.hidden;
  const double count = z.s - 1, inner = static_cast<double>(shape.patch_inputs);
  Layer layer{.name = "patches", .output_elements = z.s * z.h};
  layer.whole_parameters = shape.patch_inputs * h + h + h;  // weights, bias, class token
  if (shape.position_kind == Positions::kLearned) layer.whole_parameters += shape.positions * h;
  layer.parameters = layer.whole_parameters;
  layer.kernels = {product("patches", Share::kWhole, count, z.h, inner),
                   memory("class token", Share::kSequence, (2 + z.mask) * z.s * z.h)};
  layer.kept_whole_elements = count * inner + z.mask * z.s * z.h;
  return layer;
}

}  // namespace

Layer transformer_embedding(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  const Sizes z(shape);
  if (shape.patch_inputs > 0) return patches(shape, z);
  const std::uint64_t h = shape.hidden;
  Layer layer{.name = "embedding", .output_elements = z.s * z.h};
  if (shape.position_kind == Positions::kLearned) layer.whole_parameters += shape.positions * h;
  layer.whole_parameters += shape.token_types * h;
  if (shape.embedding_norm) layer.whole_parameters += norm_parameters(shape);
  layer.parameters = shape.vocabulary * h + layer.whole_parameters;

  // Each rank holds a part of the vocabulary, writes zeros for other words, and the ranks add up: reads and writes s·h.
  layer.kernels.push_back(then(memory("look-up", Share::kWhole, 2 * z.s * z.h), Exchange::kReduce, z.s * z.h));

  // Positions and segments are added and dropout applied in one pass: reads words and each table, writes the sum and a mask.
  const double tables = (shape.position_kind == Positions::kLearned ? 1 : 0) + (shape.token_types > 0 ? 1 : 0);
  if (tables > 0 || shape.dropout)
    layer.kernels.push_back(memory("positions", Share::kSequence, (2 + tables + z.mask) * z.s * z.h));
  if (shape.embedding_norm) layer.kernels.push_back(norm_kernel(z));

  layer.kept_whole_elements = (z.mask + (shape.embedding_norm ? 1 : 0)) * z.s * z.h;
  return layer;
}

Layer transformer_head(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  const Sizes z(shape);
  const std::uint64_t h = shape.hidden;
  Layer layer{.name = "head"};
  if (shape.final_norm) {
    layer.whole_parameters += norm_parameters(shape);
    layer.kernels.push_back(norm_kernel(z));
    layer.kept_whole_elements += z.s * z.h;
  }

  // ViT's classes, of the class token alone
  if (shape.head == Head::kClasses) {
    layer.whole_parameters += shape.vocabulary * (h + 1);
    layer.parameters = layer.whole_parameters;
    layer.output_elements = static_cast<double>(shape.vocabulary);
    layer.kernels.push_back(product("classes", Share::kWhole, 1, layer.output_elements, z.h));
    layer.kernels.push_back(memory("loss", Share::kWhole, 2 * layer.output_elements));
    layer.kept_whole_elements += z.h + layer.output_elements;
    return layer;
  }

  // BERT's pooler: a dense layer and a hyperbolic tangent (read and written once) on the first token of the sequence
  if (shape.head == Head::kPooler) {
    layer.whole_parameters += h * h + h;
    layer.parameters = layer.whole_parameters;
    layer.output_elements = z.h;
    layer.kernels.push_back(product("pooler", Share::kWhole, 1, z.h, z.h));
    layer.kernels.push_back(memory("activation", Share::kWhole, 2 * z.h));
    layer.kept_whole_elements += 2 * z.h;
    return layer;
  }

  // Logits, divided by vocabulary, and the loss as Megatron-LM computes it, in fp32 (two elements per number) over s·v numbers:
  // conversion 1 + 2, maximum 2, subtraction 2 + 2, exponential 2 + 2, sum 2, division 2 + 2. Kept: the input of logits, and the
  // probabilities in fp32 (Korthikanti et al. 2022, section 4.3).
  const double v = static_cast<double>(shape.vocabulary);
  constexpr double kLossPasses = 19;
  layer.parameters = layer.whole_parameters + shape.vocabulary * (h + (shape.head_bias ? 1 : 0));
  layer.output_elements = z.s * v;
  for (std::uint64_t token = 0; token < shape.predictions; ++token) {
    layer.kernels.push_back(product("logits", Share::kColumns, z.s, v, z.h));
    layer.kernels.back().wide = true;
    layer.kernels.push_back(memory("loss", Share::kColumns, kLossPasses * z.s * v));
    layer.kernels.back().loss = true;
  }
  const auto predicted = static_cast<double>(shape.predictions);
  layer.kept_whole_elements += predicted * z.s * z.h;
  layer.kept_elements = predicted * 2 * z.s * v;
  return layer;
}

}  // namespace helio::workload
