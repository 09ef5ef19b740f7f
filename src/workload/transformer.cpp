// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "workload/kernel.h"

namespace helio::workload {
namespace {

// The sizes of a block as real numbers, for counts of elements per sample.
struct Sizes {
  explicit Sizes(const TransformerShape& shape)
      : s(static_cast<double>(shape.sequence)),
        h(static_cast<double>(shape.hidden)),
        a(static_cast<double>(shape.heads)),
        d(static_cast<double>(shape.head_size)),
        q(static_cast<double>(shape.heads * shape.head_size)),
        kv(static_cast<double>(shape.kv_heads * shape.head_size)),
        v(static_cast<double>(shape.heads * (shape.value_size > 0 ? shape.value_size : shape.head_size))),
        f(static_cast<double>(shape.experts > 0 ? shape.expert_feed_forward : shape.feed_forward)),
        k(static_cast<double>(shape.top_k)),
        e(static_cast<double>(shape.experts)),
        mask(shape.dropout ? 0.5 : 0) {}
  double s, h, a, d, q, kv, v, f, k, e;  // v: of the values that heads put together
  double mask;                           // elements of a dropout mask (one byte) per element that it covers
};

std::uint64_t norm_parameters(const TransformerShape& shape) {
  return (shape.norm == Norm::kLayer ? 2 : 1) * shape.hidden;
}

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

// Reads and writes s·h, the statistics in one pass: 2sh.
Kernel norm_kernel(const Sizes& z) { return memory("norm", Share::kSequence, 2 * z.s * z.h); }

// Bias, dropout and addition in one kernel: reads x and the residual, writes the sum (and the mask).
Kernel residual_kernel(const Sizes& z) { return memory("residual", Share::kSequence, (3 + z.mask) * z.s * z.h); }

// Of s·s products of a causal mask half are left; in a block with a window of w only w of s in each row, and so many of the blocks
// have one.
double visible(const TransformerShape& shape, const Sizes& z) {
  const double all = shape.causal ? 0.5 : 1;
  if (shape.window == 0 || shape.window_every == 0) return all;
  const double windowed = std::min(all, static_cast<double>(shape.window) / z.s);
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
  layer.kernels.push_back(product("queries", Share::kColumns, z.s, z.q, query));
  layer.kernels.push_back(product("keys and values", Share::kColumns, z.s, z.q - z.a * rotary + z.v, key));
}

void add_attention(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  auto& kernels = layer.kernels;
  kernels.push_back(norm_kernel(z));
  add_queries(layer, shape, z);

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
  layer.kernels.push_back(norm_kernel(z));
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
  layer.kernels.push_back(residual_kernel(z));
}

// What backward needs again, in elements of 2 bytes: the count of Korthikanti et al. 2022, section 4.1, there
// sbh (10 + 24/t + 5as/(ht)) bytes with q = kv = h and f = 4h.
void count_kept(Layer& layer, const TransformerShape& shape, const Sizes& z) {
  // Whole: inputs of the two norms and of qkv and up, and the two dropout masks: 4 + 1 elements (10 bytes) per s·h.
  layer.kept_whole_elements = (4 + 2 * z.mask) * z.s * z.h;

  // Divided: queries, keys, values, and the projection's input: 4 elements (8 bytes) per s·h. The softmax's output, and with
  // dropout its mask and its output: 2.5 elements (5 bytes) per a·s².
  const double scores = 1 + (shape.dropout ? z.mask + 1 : 0);
  layer.kept_core_elements = scores * z.a * z.s * z.s;
  layer.kept_elements = z.s * (z.q + 2 * z.kv + z.v) + layer.kept_core_elements;

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
  layer.whole_parameters = 2 * norm_parameters(shape) + bias * h;
  if (shape.key_rank == 0) {
    layer.parameters = layer.whole_parameters + (q + 2 * kv) * (h + bias) + q * h;
  } else {
    const std::uint64_t v = shape.heads * shape.value_size;
    layer.whole_parameters += (shape.query_rank + shape.key_rank + shape.rotary_size) * h;
    layer.whole_parameters += shape.query_rank + shape.key_rank;  // two norms
    layer.parameters = layer.whole_parameters + q * shape.query_rank +
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
  }

  layer.output_elements = z.s * z.h;
  add_attention(layer, shape, z);
  add_feed_forward(layer, shape, z);
  count_kept(layer, shape, z);
  return layer;
}

namespace {

Layer transformer_embedding(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  const Sizes z(shape);
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
  layer.parameters = layer.whole_parameters + shape.vocabulary * h;
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

}  // namespace

Workload transformer(const TransformerShape& given) {
  const TransformerShape shape = given.resolved();
  assert(!fault(shape) && "a shape is checked before a workload is made of it");
  Workload workload{.family = "transformer",
                    .sample = fmt::format("sequence of {} tokens", shape.sequence),
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
