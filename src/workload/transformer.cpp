// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "workload/kernel.h"
#include "workload/transformer_ends.h"
#include "workload/transformer_sizes.h"

namespace helio::workload {
namespace {

// What the feed-forward of one expert, or the dense one, has: `divided` by tensor parallelism and not.
struct Weights {
  std::uint64_t divided = 0, whole = 0;
};
Weights feed_forward_weights(const TransformerShape& shape) {
  const std::uint64_t up = shape.gated ? 2 : 1, h = shape.hidden;
  const std::uint64_t f = shape.experts > 0 ? shape.expert_feed_forward : shape.feed_forward;
  const std::uint64_t bias = shape.feed_forward_biases ? 1 : 0;
  return {.divided = up * f * (h + bias) + f * h, .whole = bias * h};
}

// Bias, dropout and addition in one kernel: reads x and the residual, writes the sum (and the mask).
Kernel residual_kernel(const Sizes& z) { return memory("residual", Share::kSequence, (3 + z.mask) * z.s * z.h); }

// Of s·s products of a causal mask half are left; in a block with a window of w only w of s in each row, and so many of the blocks
// have one.
double visible(const TransformerShape& shape, const Sizes& z) {
  const double all = shape.causal ? 0.5 : 1;
  if (shape.window == 0) return all;
  const double windowed = std::min(all, static_cast<double>(shape.window) / z.s);
  if (shape.window_every == 0) return windowed;
  const double every = static_cast<double>(shape.window_every);
  return (all + (every - 1) * windowed) / every;
}

// Queries, keys and values. Latent attention makes them in two steps, the first of which is narrow and not divided.
void add_queries(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  if (shape.key_rank == 0) {
    layer.kernels.push_back(product("qkv", Share::kColumns, z.s, z.q + 2 * z.kv, z.h));
    return;
  }
  const double query = static_cast<double>(shape.query_rank), key = static_cast<double>(shape.key_rank);
  const double rotary = static_cast<double>(shape.rotary_size);
  layer.kernels.push_back(product("latent", Share::kWhole, z.s, query + key + rotary, z.h));
  layer.kernels.push_back(memory("latent norm", Share::kWhole, 2 * z.s * (query + key)));
  layer.kernels.push_back(product("queries", Share::kColumns, z.s, z.q, query > 0 ? query : z.h));
  layer.kernels.push_back(product("keys and values", Share::kColumns, z.s, z.q - z.a * rotary + z.v, key));
}

void add_attention(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  auto& kernels = layer.kernels;
  kernels.push_back(norm_kernel(z));
  add_queries(layer, shape, z);

  if (shape.head_norms) kernels.push_back(memory("head norm", Share::kColumns, 2 * z.s * (z.q + z.kv)));

  // Rotary positions turn queries and keys in place: read and written once.
  if (shape.position_kind == Positions::kRotary)
    kernels.push_back(memory("rotary", Share::kColumns, 2 * z.s * (z.q + z.kv)));
  kernels.back() = then(std::move(kernels.back()), Exchange::kContext, 2 * z.s * z.kv);

  // Mask and softmax read the scores (of a causal mask only the lower triangle) and write all of them; dropout reads and writes
  // them once more, and writes its mask.
  kernels.push_back(batched_product("scores", Share::kBatch, z.a, z.s, z.s, z.d));
  kernels.back().visible = visible(shape, z);
  const double passes = (shape.causal ? 0.5 : 1) + 1 + (shape.dropout ? 2 + z.mask : 0);
  kernels.push_back(memory("softmax", Share::kBatch, passes * z.a * z.s * z.s));
  kernels.push_back(batched_product("context", Share::kBatch, z.a, z.s, z.v / z.a, z.s));
  kernels.back().visible = visible(shape, z);

  kernels.push_back(then(product("projection", Share::kInner, z.s, z.h, z.v), Exchange::kReduce, z.s * z.h));
  if (shape.block_norms == 4) kernels.push_back(norm_kernel(z));
  kernels.push_back(residual_kernel(z));
}

// GeLU reads and writes f for each row; SwiGLU reads 2f and writes f.
void add_expert(Layer& layer, const TransformerShape& shape, const Sizes& z, double rows, double f,
                const std::string& whose = "") {
  const double up = shape.gated ? 2 : 1;
  layer.kernels.push_back(product(whose + "up", Share::kColumns, rows, up * f, z.h));
  layer.kernels.push_back(memory(whose + "activation", Share::kColumns, (up + 1) * rows * f));
  layer.kernels.push_back(then(product(whose + "down", Share::kInner, rows, z.h, f), Exchange::kReduce, rows * z.h));
}

void add_feed_forward(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  if (shape.block_norms > 1) layer.kernels.push_back(norm_kernel(z));
  if (shape.experts == 0) {
    add_expert(layer, shape, z, z.s, z.f);
  } else {
    // Each token goes k times to an expert: permute reads s·h and the router's s·e logits and writes k·s·h by expert; back from
    // the experts, unsort brings k·s·h into the order in which they came, and unpermute adds the k results of a token.
    const double rows = z.k * z.s;
    layer.kernels.push_back(product("router", Share::kWhole, z.s, z.e, z.h));
    layer.kernels.back().wide = true;
    if (shape.shared_experts > 0)
      add_expert(layer, shape, z, z.s, static_cast<double>(shape.shared_experts) * z.f, "shared ");
    layer.kernels.push_back(
        then(memory("permute", Share::kSequence, z.s * z.h + z.s * z.e + rows * z.h), Exchange::kDispatch, rows * z.h));
    add_expert(layer, shape, z, rows, z.f);
    layer.kernels.push_back(then(memory("unsort", Share::kSequence, 2 * rows * z.h), Exchange::kCombine, rows * z.h));
    layer.kernels.push_back(memory("unpermute", Share::kSequence, rows * z.h + z.s * z.h));
  }
  if (shape.block_norms == 4) layer.kernels.push_back(norm_kernel(z));
  layer.kernels.push_back(residual_kernel(z));
}

// What backward needs again, in elements of 2 bytes: the count of Korthikanti et al. 2022, section 4.1, there
// sbh (10 + 24/t + 5as/(ht)) bytes with q = kv = h and f = 4h.
void count_kept(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  // Whole: inputs of the two norms and of qkv and up, and the two dropout masks: 4 + 1 elements (10 bytes) per s·h. Side by side
  // they share both inputs.
  const double norms = static_cast<double>(shape.block_norms);
  layer.kept_whole_elements = (norms + std::min(norms, 2.0) + 2 * z.mask) * z.s * z.h;

  // Divided: queries, keys, values, and the projection's input: 4 elements (8 bytes) per s·h. The softmax's output, and with
  // dropout its mask and its output: 2.5 elements (5 bytes) per a·s².
  const double scores = 1 + (shape.dropout ? z.mask + 1 : 0);
  layer.kept_core_elements = scores * z.a * z.s * z.s;
  layer.kept_elements = z.s * (z.q + 2 * z.kv + z.v) + layer.kept_core_elements;
  if (shape.head_norms) layer.kept_elements += z.s * (z.q + z.kv);

  // Inputs of the activation and of down: 2f elements per row, 8h (16 bytes per s·h) with f = 4h; gated: 3f.
  const double rows = shape.experts == 0 ? z.s : z.k * z.s;
  layer.kept_elements += (shape.gated ? 3 : 2) * z.s * static_cast<double>(shape.shared_experts) * z.f;
  layer.kept_elements += (shape.gated ? 3 : 2) * rows * z.f;

  // A mixture also keeps the router's probabilities, the permuted tokens, and the experts' results, which the router weighs.
  if (shape.experts > 0) layer.kept_whole_elements += z.s * z.e + 2 * rows * z.h;
}

}  // namespace

Layer transformer_block(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  const Sizes z(shape);
  Layer layer{.name = "block", .repeat = shape.layers};

  // Parameters of the attention: qkv is divided, and so is the projection but for its bias, which is added after the reduction
  const std::uint64_t h = shape.hidden, q = shape.heads * shape.head_size, kv = shape.kv_heads * shape.head_size;
  const std::uint64_t bias = shape.attention_biases ? 1 : 0;
  const std::uint64_t query_bias = shape.attention_biases || shape.query_biases ? 1 : 0;
  layer.whole_parameters = shape.block_norms * norm_parameters(shape) + bias * h;
  if (shape.head_norms) layer.whole_parameters += 2 * norm_parameters(shape) / h * shape.head_size;
  if (shape.key_rank == 0) {
    layer.parameters = layer.whole_parameters + (q + 2 * kv) * (h + query_bias) + q * h;
  } else {
    const std::uint64_t v = shape.heads * shape.value_size;
    layer.whole_parameters += (shape.query_rank + shape.key_rank + shape.rotary_size) * h;
    layer.whole_parameters += shape.query_rank + shape.key_rank;  // two norms
    layer.parameters = layer.whole_parameters + q * (shape.query_rank > 0 ? shape.query_rank : h) +
                       (q - shape.heads * shape.rotary_size + v) * shape.key_rank + v * h;
  }

  // Parameters of the feed-forward, or of its experts and their router
  const Weights weights = feed_forward_weights(shape);
  if (shape.experts == 0) {
    layer.whole_parameters += weights.whole;
    layer.parameters += weights.divided + weights.whole;
  } else {
    layer.experts = shape.experts;
    layer.expert_parameters = shape.experts * (weights.divided + weights.whole);
    layer.whole_parameters += h * shape.experts + shape.experts * weights.whole;
    layer.parameters += h * shape.experts + layer.expert_parameters;
    layer.parameters += shape.shared_experts * (weights.divided + weights.whole);
    layer.whole_parameters += shape.shared_gate ? h : 0;
    layer.parameters += shape.shared_gate ? h : 0;
  }

  layer.output_elements = z.s * z.h;
  add_attention(layer, shape, z);
  add_feed_forward(layer, shape, z);
  count_kept(layer, shape, z);
  return layer;
}

std::string words_of(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  std::string text =
      fmt::format("{} blocks of {}; {} heads of {}", shape.layers, shape.hidden, shape.heads, shape.head_size);
  if (shape.key_rank > 0)
    text += shape.query_rank > 0
                ? fmt::format(", latent: queries through {}, keys through {}", shape.query_rank, shape.key_rank)
                : fmt::format(", latent: keys through {}", shape.key_rank);
  else if (shape.kv_heads != shape.heads)
    text += fmt::format(", {} for keys and values", shape.kv_heads);
  if (shape.window > 0)
    text += shape.window_every > 0
                ? fmt::format("; a window of {} but in one of {} blocks", shape.window, shape.window_every)
                : fmt::format("; a window of {}", shape.window);
  text += shape.gated ? "; gated feed-forward of " : "; feed-forward of ";
  if (shape.experts == 0)
    text += std::to_string(shape.feed_forward);
  else
    text += fmt::format("{}, {} experts, {} for a token", shape.expert_feed_forward, shape.experts, shape.top_k);
  if (shape.shared_experts > 0) text += fmt::format(", {} shared", shape.shared_experts);
  if (shape.dense_layers > 0) text += fmt::format("; {} blocks dense, of {}", shape.dense_layers, shape.feed_forward);
  if (shape.block_norms != 2) text += fmt::format("; {} norms a block", shape.block_norms);
  if (shape.head_norms) text += "; heads normed";
  constexpr const char* kPositions[] = {"learned", "rotary", "no"};
  text += fmt::format("; {} positions", kPositions[static_cast<int>(shape.position_kind)]);
  text += shape.patch_inputs > 0 ? fmt::format("; patches of {} numbers", shape.patch_inputs)
                                 : fmt::format("; {} words", shape.vocabulary);
  if (shape.head == Head::kLogits && shape.tied) text += ", those of the head the same";
  return text;
}

Workload transformer(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  assert(!fault(shape) && "a shape is checked before a workload is made of it");
  Workload workload{.family = "transformer",
                    .sample = fmt::format("sequence of {} tokens", shape.sequence),
                    .shape = words_of(shape),
                    .tokens = shape.sequence,
                    .attention_heads = shape.heads};
  workload.layers = {transformer_embedding(shape), transformer_block(shape), transformer_head(shape)};

  // Blocks with a dense feed-forward come first, those that predict further tokens last
  Layer& block = workload.layers[1];
  block.repeat = shape.layers - shape.dense_layers + shape.predictions - 1;
  if (shape.dense_layers > 0) {
    TransformerShape dense = shape;
    dense.experts = dense.top_k = dense.shared_experts = 0;
    dense.layers = shape.dense_layers;
    Layer first = transformer_block(dense);
    first.name = "dense block";
    workload.layers.insert(workload.layers.begin() + 1, std::move(first));
  }
  if (shape.head == Head::kLogits && shape.tied) workload.tied_parameters = shape.vocabulary * shape.hidden;
  return workload;
}

}  // namespace helio::workload
