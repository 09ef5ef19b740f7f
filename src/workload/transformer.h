// SPDX-License-Identifier: Apache-2.0
// A transformer by its shape: the block of Vaswani et al. 2017 in the forms that language models gave it (learned or rotary
// positions, layer or RMS norm, plain or gated feed-forward, grouped key-value heads, a mixture of experts), divided as
// Megatron-LM does (Shoeybi et al. 2019; Korthikanti et al. 2022 for sequence parallelism and kept activations).
//
//     embedding   ─▶  block x layers  ─▶  head
//
//     block:  norm · qkv · [rotary] · scores · softmax · context · projection ─reduce─ · residual ·
//             norm · up · activation · down ─reduce─ · residual
//     mixture, in place of `up … down` (the order of Megatron-Core's all-to-all dispatcher, experts divided by tensor
//     parallelism too):
//             router · permute ─dispatch─ · up · activation · down ─reduce─ · unsort ─combine─ · unpermute
//
// A kernel's share and the counts of elements are beside it in transformer.cpp. Where a model norms after the residual (BERT)
// the kernels are the same in another order, and the order above is kept.
//
// Falcon and Phi read one norm for both halves of a block, Gemma 2 norms the result of each half too, Qwen 3 norms heads.
//
// Invariant: no count of a shape without fault() overflows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workload/workload.h"

namespace helio::workload {

enum class Positions : std::uint8_t { kLearned, kRotary, kNone };
enum class Norm : std::uint8_t { kLayer, kRms };  // scale and shift, or scale only
enum class Head : std::uint8_t {
  kLogits,   // one number per token and word of the vocabulary, and the loss
  kPooler,   // BERT: a dense layer on the first token
  kClasses,  // ViT: `vocabulary` classes, of the first token
};

struct TransformerShape {
  std::uint64_t layers = 0;
  std::uint64_t hidden = 0;        // h
  std::uint64_t heads = 0;         // a
  std::uint64_t kv_heads = 0;      // 0: as many as heads
  std::uint64_t head_size = 0;     // 0: hidden / heads
  std::uint64_t feed_forward = 0;  // f; 0: 4 hidden
  std::uint64_t vocabulary = 0;
  std::uint64_t sequence = 0;             // s: tokens per sample
  std::uint64_t positions = 0;            // kLearned: rows of the table; 0: as many as the sequence has tokens
  std::uint64_t token_types = 0;          // BERT: rows of the table of segments
  std::uint64_t experts = 0;              // 0: a dense feed-forward
  std::uint64_t top_k = 0;                // experts per token
  std::uint64_t expert_feed_forward = 0;  // of one expert; 0: feed_forward
  std::uint64_t shared_experts = 0;       // through which every token goes besides
  std::uint64_t dense_layers = 0;         // first blocks of a mixture that have a dense feed-forward
  // Latent attention (DeepSeek-V2, 2024): queries and keys through narrow layers of so many columns; 0: as usual. Heads then have
  // head_size columns of which `rotary_size` carry positions, and values value_size
  std::uint64_t query_rank = 0, key_rank = 0, rotary_size = 0, value_size = 0;
  std::uint64_t window = 0;        // tokens that a token sees in blocks with a window; 0: all before it
  std::uint64_t window_every = 0;  // of so many blocks in a row, one sees everything; 0: none does
  std::uint64_t predictions = 1;   // tokens predicted at once; each more is a block and a head (DeepSeek-V3, 2024)
  std::uint64_t block_norms =
      2;  // of a block; 1: both halves read one, side by side; 4: the result of each is normed too
  std::uint64_t patch_inputs = 0;  // ViT: numbers of a patch of an image, which stands where words do; 0: words
  Positions position_kind = Positions::kLearned;
  Norm norm = Norm::kLayer;
  Head head = Head::kLogits;
  bool gated = false;  // SwiGLU: `up` has twice the columns
  bool attention_biases = true;
  bool query_biases = false;  // queries, keys and values have biases, the rest of attention as attention_biases says
  bool feed_forward_biases = true;
  bool head_norms = false;      // a norm over each head of queries and of keys
  bool shared_gate = false;     // a number for each token weighs what shared experts give it
  bool head_bias = false;       // of the logits
  bool embedding_norm = false;  // BERT: a norm after the embedding …
  bool final_norm = true;       // … and none before the head
  bool tied = true;             // the head's matrix is the embedding
  bool dropout = true;
  bool causal = true;  // the softmax reads the lower triangle only

  // The same with every 0 that stands for another size replaced by it.
  TransformerShape resolved() const;
};

// What is wrong with a shape, and which field: importers know how the user wrote it and where.
struct ShapeFault {
  std::string field;  // a member of TransformerShape
  std::string what, advice;
};
std::optional<ShapeFault> fault(const TransformerShape& shape);

// The largest legal values, far above any model: with them products stay within 64 bits, and the sum is checked.
struct ShapeBounds {
  static constexpr std::uint64_t kLayers = 1u << 16;
  static constexpr std::uint64_t kHidden = 1u << 20;  // hidden, heads, head size
  static constexpr std::uint64_t kFeedForward = 1u << 22;
  static constexpr std::uint64_t kVocabulary = 1u << 26;
  static constexpr std::uint64_t kSequence = 1u << 24;  // and positions
  static constexpr std::uint64_t kExperts = 1u << 12;
  static constexpr double kParameters = 1e18;
};

// Requires of both below: fault(shape) has nothing to say.
Layer transformer_block(const TransformerShape& shape);  // with repeat = layers
// The shape in a line for people: "32 blocks of 4096; 32 heads of 128; …".
std::string words_of(const TransformerShape& shape);
// Embedding, blocks and head, with tokens, heads, tied parameters and the words for a sample; name, title and reference are
// the caller's.
Workload transformer(const TransformerShape& shape);

}  // namespace helio::workload
