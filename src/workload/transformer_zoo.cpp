// SPDX-License-Identifier: Apache-2.0
#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

constexpr std::uint64_t kGptVocabulary = 50'257;       // byte pairs of Radford et al. 2019
constexpr std::uint64_t kMegatronVocabulary = 51'200;  // the same, padded: Narayanan et al. 2021, section 5
constexpr std::uint64_t kBertVocabulary = 30'522;      // word pieces, uncased: Devlin et al. 2019
constexpr std::uint64_t kLlamaVocabulary = 32'000;     // Touvron et al. 2023

TransformerShape mixtral_shape() {
  TransformerShape shape = llama_shape(32, 4096, 32, 14'336);
  shape.kv_heads = 8;
  shape.experts = 8;
  shape.top_k = 2;
  shape.sequence = 4096;
  return shape;
}

TransformerShape trillion_shape() {
  TransformerShape shape = gpt_shape(128, 25'600, 160, 2048);
  shape.vocabulary = kMegatronVocabulary;
  return shape;
}

}  // namespace

TransformerShape gpt_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads, std::uint64_t sequence) {
  TransformerShape shape;
  shape.layers = layers;
  shape.hidden = hidden;
  shape.heads = heads;
  shape.vocabulary = kGptVocabulary;
  shape.sequence = shape.positions = sequence;
  return shape;
}

TransformerShape bert_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads) {
  TransformerShape shape = gpt_shape(layers, hidden, heads, 512);
  shape.vocabulary = kBertVocabulary;
  shape.token_types = 2;
  shape.head = Head::kPooler;
  shape.embedding_norm = true;
  shape.final_norm = false;
  shape.tied = false;
  shape.causal = false;
  return shape;
}

TransformerShape llama_shape(std::uint64_t layers, std::uint64_t hidden, std::uint64_t heads,
                             std::uint64_t feed_forward) {
  TransformerShape shape;
  shape.layers = layers;
  shape.hidden = hidden;
  shape.heads = heads;
  shape.feed_forward = feed_forward;
  shape.vocabulary = kLlamaVocabulary;
  shape.sequence = 2048;
  shape.position_kind = Positions::kRotary;
  shape.norm = Norm::kRms;
  shape.gated = true;
  shape.attention_biases = shape.feed_forward_biases = false;
  shape.tied = false;
  shape.dropout = false;
  return shape;
}

const std::vector<TransformerModel>& transformer_models() {
  static const std::vector<TransformerModel> models = {
      {"bert-large", "BERT-Large", "encoder of 24 x 1024 with its pooler, without the heads of pre-training",
       "Devlin et al., NAACL 2019 (340M, rounded); 335,141,888 is BertModel of bert-large-uncased in Hugging Face "
       "transformers",
       bert_shape(24, 1024, 16)},
      {"gpt2-xl", "GPT-2 XL", "decoder of 48 x 1600, embedding and head tied",
       "Radford et al. 2019 (1542M, rounded); 1,557,611,200 is gpt2-xl in Hugging Face transformers",
       gpt_shape(48, 1600, 25, 1024)},
      {"gpt3-175b", "GPT-3 175B", "decoder of 96 x 12288",
       "Brown et al., NeurIPS 2020, table 2.1 (175.0B) and appendix D (174,600M); the count is derived",
       gpt_shape(96, 12'288, 96, 2048)},
      {"transformer-17b", "Transformer-17B", "Turing-NLG: decoder of 78 x 4256",
       "Rosset, Turing-NLG, Microsoft 2020 (17B, 78 layers, hidden 4256, 28 heads); FRED, arXiv 2406.19580; the count "
       "is derived",
       gpt_shape(78, 4256, 28, 1024)},
      {"transformer-1t", "Transformer-1T", "decoder of 128 x 25600",
       "Narayanan et al., SC 2021, table 1 (1008.0B, 160 heads, vocabulary 51,200); FRED, arXiv 2406.19580; the count "
       "is derived",
       trillion_shape()},
      {"llama-7b", "LLaMA-7B", "decoder of 32 x 4096, RMS norm, SwiGLU, rotary positions",
       "Touvron et al. 2023, table 2 (6.7B); 6,738,415,616 is the count of its checkpoint",
       llama_shape(32, 4096, 32, 11'008)},
      {"llama-13b", "LLaMA-13B", "decoder of 40 x 5120, RMS norm, SwiGLU, rotary positions",
       "Touvron et al. 2023, table 2 (13.0B); 13,015,864,320 is the count of its checkpoint",
       llama_shape(40, 5120, 40, 13'824)},
      {"llama-65b", "LLaMA-65B", "decoder of 80 x 8192, RMS norm, SwiGLU, rotary positions",
       "Touvron et al. 2023, table 2 (65.2B); 65,285,660,672 is the count of its checkpoint",
       llama_shape(80, 8192, 64, 22'016)},
      {"mixtral-8x7b", "Mixtral 8x7B", "LLaMA of 32 x 4096 with 8 experts, 2 per token, and 8 key-value heads",
       "Jiang et al. 2024, table 1 (context 32,768; the default of 4096 is that of Megatron-LM's Mixtral example); "
       "46,702,792,704 is the count of its checkpoint",
       mixtral_shape()}};
  return models;
}

}  // namespace helio::workload
