// SPDX-License-Identifier: Apache-2.0
// Which shapes make sense: every size within its bounds, sizes that must divide each other, and a sum that fits.
#include <fmt/format.h>

#include <algorithm>

#include "workload/transformer.h"

namespace helio::workload {
namespace {

struct Bounded {
  const char* field;
  std::uint64_t value, least, most;
};

// Parameters as a real number, by the closed form: an overflow would show here and not in a count.
double estimated_parameters(const TransformerShape& shape) {
  const auto real = [](std::uint64_t value) { return static_cast<double>(value); };
  const double h = real(shape.hidden), q = real(shape.heads) * real(shape.head_size);
  const double kv = real(shape.kv_heads) * real(shape.head_size);
  const double experts = shape.experts > 0 ? real(shape.experts) : 1;
  const double block =
      h * (2 * q + 2 * kv) + (experts + real(shape.shared_experts)) * h *
                                 (3 * std::max(real(shape.feed_forward), real(shape.expert_feed_forward)) + 1);
  return (real(shape.layers) + real(shape.predictions)) * block +
         h * (2 * real(shape.vocabulary) + real(shape.positions) + real(shape.token_types));
}

}  // namespace

TransformerShape TransformerShape::resolved() const {
  TransformerShape shape = *this;
  if (shape.kv_heads == 0) shape.kv_heads = heads;
  if (shape.head_size == 0 && heads > 0) shape.head_size = hidden / heads;
  if (shape.feed_forward == 0) shape.feed_forward = 4 * hidden;
  if (shape.expert_feed_forward == 0) shape.expert_feed_forward = shape.feed_forward;
  if (shape.positions == 0 && position_kind == Positions::kLearned) shape.positions = sequence;
  return shape;
}

std::optional<ShapeFault> fault(const TransformerShape& given) {
  // Sizes as given: before anything is derived from them
  const Bounded given_bounds[] = {{"layers", given.layers, 1, ShapeBounds::kLayers},
                                  {"hidden", given.hidden, 1, ShapeBounds::kHidden},
                                  {"heads", given.heads, 1, ShapeBounds::kHidden},
                                  {"vocabulary", given.vocabulary, 1, ShapeBounds::kVocabulary},
                                  {"sequence", given.sequence, 1, ShapeBounds::kSequence},
                                  {"kv_heads", given.kv_heads, 0, ShapeBounds::kHidden},
                                  {"head_size", given.head_size, 0, ShapeBounds::kHidden},
                                  {"feed_forward", given.feed_forward, 0, ShapeBounds::kFeedForward},
                                  {"positions", given.positions, 0, ShapeBounds::kSequence},
                                  {"token_types", given.token_types, 0, ShapeBounds::kSequence},
                                  {"experts", given.experts, 0, ShapeBounds::kExperts},
                                  {"top_k", given.top_k, 0, ShapeBounds::kExperts},
                                  {"expert_feed_forward", given.expert_feed_forward, 0, ShapeBounds::kFeedForward},
                                  {"shared_experts", given.shared_experts, 0, ShapeBounds::kExperts},
                                  {"query_rank", given.query_rank, 0, ShapeBounds::kHidden},
                                  {"key_rank", given.key_rank, 0, ShapeBounds::kHidden},
                                  {"rotary_size", given.rotary_size, 0, ShapeBounds::kHidden},
                                  {"value_size", given.value_size, 0, ShapeBounds::kHidden},
                                  {"window", given.window, 0, ShapeBounds::kSequence},
                                  {"window_every", given.window_every, 0, ShapeBounds::kLayers},
                                  {"block_norms", given.block_norms, 1, 4},
                                  {"patch_inputs", given.patch_inputs, 0, ShapeBounds::kFeedForward},
                                  {"predictions", given.predictions, 1, ShapeBounds::kExperts}};
  for (const Bounded& bound : given_bounds)
    if (bound.value < bound.least || bound.value > bound.most)
      return ShapeFault{bound.field, fmt::format("{} is out of bounds", bound.value),
                        fmt::format("give a whole number from {} to {}", bound.least, bound.most)};

  // Sizes that must fit each other
  if (given.head_size == 0 && given.hidden % given.heads != 0)
    return ShapeFault{"heads", fmt::format("{} heads do not divide {} hidden units", given.heads, given.hidden),
                      "give a divisor, or the size of a head"};
  const TransformerShape shape = given.resolved();
  if (shape.heads % shape.kv_heads != 0)
    return ShapeFault{"kv_heads", fmt::format("{} key-value heads do not divide {} heads", shape.kv_heads, shape.heads),
                      "give a divisor"};
  if (shape.position_kind == Positions::kLearned && shape.sequence > shape.positions)
    return ShapeFault{"sequence",
                      fmt::format("a sequence of {} tokens is longer than the {} positions of the model",
                                  shape.sequence, shape.positions),
                      fmt::format("give at most {}", shape.positions)};
  if (shape.experts > 0 && (shape.top_k < 1 || shape.top_k > shape.experts))
    return ShapeFault{"top_k", fmt::format("a token cannot go to {} of {} experts", shape.top_k, shape.experts),
                      fmt::format("give a whole number from 1 to {}", shape.experts)};
  if (shape.experts == 0 && shape.top_k > 0)
    return ShapeFault{"top_k", "there are no experts to choose from",
                      "give the number of experts too, or leave it out"};

  if (shape.experts == 0 && (shape.shared_experts > 0 || shape.dense_layers > 0))
    return ShapeFault{shape.shared_experts > 0 ? "shared_experts" : "dense_layers", "there is no mixture of experts",
                      "give the number of experts too, or leave it out"};
  if (shape.dense_layers >= shape.layers)
    return ShapeFault{"dense_layers",
                      fmt::format("{} of {} layers leave none with experts", shape.dense_layers, shape.layers),
                      fmt::format("give at most {}", shape.layers - 1)};
  if ((shape.query_rank > 0 && shape.key_rank == 0) || (shape.key_rank > 0) != (shape.value_size > 0))
    return ShapeFault{"key_rank", "latent attention needs key_rank and value_size", "give both, or none of them"};
  if (shape.rotary_size > shape.head_size || (shape.rotary_size > 0 && shape.key_rank == 0))
    return ShapeFault{"rotary_size", "only heads of latent attention have a part for positions, and it is a part",
                      "give at most head_size, or leave it out"};

  // The sum
  if (estimated_parameters(shape) > ShapeBounds::kParameters)
    return ShapeFault{"layers", fmt::format("the model has more than {:g} parameters", ShapeBounds::kParameters),
                      "check the sizes"};
  return std::nullopt;
}

}  // namespace helio::workload
