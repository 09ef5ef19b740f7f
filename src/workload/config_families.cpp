// SPDX-License-Identifier: Apache-2.0
#include "workload/config_families.h"

#include <fmt/format.h>

#include <algorithm>

#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

using Shape = TransformerShape;

// Changes of a shape in a row of the table.
Shape with(Shape shape, void (*change)(Shape&)) {
  change(shape);
  return shape;
}
std::vector<SizeKey> with(std::vector<SizeKey> sizes, const std::vector<SizeKey>& more) {
  sizes.insert(sizes.end(), more.begin(), more.end());
  return sizes;
}

// A part that is not counted.
void refuse(const ConfigReader& config, const char* key, const char* advice) {
  if (config.truth(key).value_or(false)) throw config.wrong(key, "is not supported", advice);
}
void refuse_crossing(Shape&, const ConfigReader& config) {
  refuse(config, "add_cross_attention", "give a model without cross-attention");
}

// Windows: `layer_types` says which blocks have one, where it is there; else one of so many has none.
void settle_windows(Shape& shape, const ConfigReader& config) {
  const bool used = config.truth("use_sliding_window").value_or(true);
  if (const Json* types = config.find("layer_types"); types && types->is_array() && !types->empty()) {
    const auto all = static_cast<std::uint64_t>(std::ranges::count(*types, Json("full_attention")));
    if (all == types->size()) shape.window = 0;
    shape.window_every = all == 0 ? 0 : types->size() / all;
  }
  if (!used) shape.window = 0;
  if (shape.window == 0) shape.window_every = 0;
}
// Where the library takes a missing `use_sliding_window` for false.
void settle_qwen(Shape& shape, const ConfigReader& config) {
  if (!config.truth("use_sliding_window").value_or(false)) shape.window = 0;
  settle_windows(shape, config);
}

// Blocks without experts stand among the others: they are counted, and taken to be the first.
void settle_qwen_experts(Shape& shape, const ConfigReader& config) {
  settle_qwen(shape, config);
  if (const Json* only = config.find("mlp_only_layers"); only && only->is_array()) shape.dense_layers = only->size();
  if (const auto step = config.size("decoder_sparse_step"); step && *step > 1)
    shape.dense_layers = std::max(shape.dense_layers, shape.layers - shape.layers / *step);
}

// The width that all shared experts have together, in experts.
void settle_shared_experts(Shape& shape, const ConfigReader& config) {
  settle_qwen_experts(shape, config);
  const std::uint64_t width = config.size("shared_expert_intermediate_size").value_or(5632);
  if (shape.expert_feed_forward == 0 || width % shape.expert_feed_forward != 0)
    throw config.wrong("shared_expert_intermediate_size",
                       fmt::format("{} is no multiple of the {} of an expert", width, shape.expert_feed_forward),
                       "Write the model as a transformer of docs/model-file.md.");
  shape.shared_experts = width / shape.expert_feed_forward;
}

void settle_deepseek(Shape& shape, const ConfigReader& config) {
  shape.head_size = config.size("qk_nope_head_dim").value_or(128) + shape.rotary_size;
  if (shape.experts == 0) shape.top_k = shape.shared_experts = shape.dense_layers = 0;
  if (const auto step = config.size("moe_layer_freq"); step && *step > 1)
    throw config.wrong("moe_layer_freq", "is supported as 1 only",
                       "give a model with experts in every block but the first");
}

void settle_falcon(Shape& shape, const ConfigReader& config) {
  const bool renewed = config.truth("new_decoder_architecture").value_or(false);
  if (!renewed) shape.kv_heads = config.truth("multi_query").value_or(true) ? 1 : shape.heads;
  const bool beside = config.truth("parallel_attn").value_or(true);
  const std::uint64_t norms = config.size("num_ln_in_parallel_attn").value_or(2);
  shape.block_norms = renewed ? norms : beside ? 1 : 2;
  shape.attention_biases = shape.feed_forward_biases = config.truth("bias").value_or(false);
  if (config.truth("alibi").value_or(false)) shape.position_kind = Positions::kNone;
}

void settle_bert(Shape& shape, const ConfigReader& config) {
  refuse_crossing(shape, config);
  const auto kind = config.text("position_embedding_type");
  if (kind && *kind != "absolute")
    throw config.wrong("position_embedding_type", "must be \"absolute\"", "other kinds are not supported");
}

// Patches of an image, and the classes that the file names; without them a model ends in its pooler.
void settle_vit(Shape& shape, const ConfigReader& config) {
  const std::uint64_t image = config.size("image_size").value_or(224), patch = config.size("patch_size").value_or(16);
  if (patch > image || image % patch != 0 || image > 65'536)
    throw config.wrong("patch_size", fmt::format("an image of {} pixels is not made of patches of {}", image, patch),
                       "give a divisor of the size of an image");
  const std::uint64_t channels = std::min<std::uint64_t>(config.size("num_channels").value_or(3), 1024);
  shape.patch_inputs = patch * patch * channels;
  shape.sequence = shape.positions = (image / patch) * (image / patch) + 1;
  shape.attention_biases = config.truth("qkv_bias").value_or(true);
  std::uint64_t classes = config.size("num_labels").value_or(0);
  if (const Json* labels = config.find("id2label"); labels && labels->is_object()) classes = labels->size();
  shape.vocabulary = std::max<std::uint64_t>(classes, 1);
  shape.head = classes > 0 ? Head::kClasses : Head::kPooler;
}

std::vector<Family> made() {
  const std::vector<SizeKey> named = {{"num_hidden_layers", "layers", &Shape::layers, {}},
                                      {"hidden_size", "hidden", &Shape::hidden, {}},
                                      {"num_attention_heads", "heads", &Shape::heads, {}},
                                      {"intermediate_size", "feed_forward", &Shape::feed_forward, {}},
                                      {"vocab_size", "vocabulary", &Shape::vocabulary, {}}};
  // Decoders after LLaMA: with heads of keys and values, the size of a head, the longest sequence and the window as the family has them
  const auto decoder = [&](std::uint64_t kv_heads, std::uint64_t head_size, std::uint64_t sequence,
                           std::optional<std::uint64_t> window = std::nullopt) {
    std::vector<SizeKey> sizes = with(named, {{"num_key_value_heads", "kv_heads", &Shape::kv_heads, kv_heads, true},
                                              {"head_dim", "head_size", &Shape::head_size, head_size, true},
                                              {"max_position_embeddings", "sequence", &Shape::sequence, sequence}});
    if (window) sizes.push_back({"sliding_window", "window", &Shape::window, *window, true});
    return sizes;
  };
  const auto experts = [](const char* key, std::uint64_t count, std::uint64_t top_k) {
    return std::vector<SizeKey>{{key, "experts", &Shape::experts, count},
                                {"num_experts_per_tok", "top_k", &Shape::top_k, top_k, false, "experts_per_token"}};
  };
  const SizeKey width{"moe_intermediate_size", "expert_feed_forward", &Shape::expert_feed_forward, {}};
  const FlagKey tied{"tie_word_embeddings", &Shape::tied}, biases{"attention_bias", &Shape::attention_biases};
  const Shape llama = llama_shape(0, 0, 0, 0);
  const std::vector<Dropout> attention = {{"attention_dropout", 0}};

  // Gemma 3 may leave out what its class has
  std::vector<SizeKey> gemma3 =
      with(decoder(4, 256, 131'072, 4096), {{"sliding_window_pattern", "window_every", &Shape::window_every, 6, true}});
  const std::uint64_t usual[] = {26, 2304, 8, 9216, 262'208};
  for (std::size_t i = 0; i < std::size(usual); ++i) gemma3[i].fallback = usual[i];

  std::vector<SizeKey> deepseek =
      with(named, with(experts("n_routed_experts", 0, 8),
                       {{"moe_intermediate_size", "expert_feed_forward", &Shape::expert_feed_forward, 0},
                        {"n_shared_experts", "shared_experts", &Shape::shared_experts, 0, true, nullptr, true},
                        {"first_k_dense_replace", "dense_layers", &Shape::dense_layers, 0, true, nullptr, true},
                        {"q_lora_rank", "query_rank", &Shape::query_rank, 1536, true},
                        {"kv_lora_rank", "key_rank", &Shape::key_rank, 512},
                        {"qk_rope_head_dim", "rotary_size", &Shape::rotary_size, 64},
                        {"v_head_dim", "value_size", &Shape::value_size, 128},
                        {"num_key_value_heads", "kv_heads", &Shape::kv_heads, 0, true},
                        {"max_position_embeddings", "sequence", &Shape::sequence, 2048}}));
  return {
      {"llama", llama, decoder(0, 0, 2048), {biases, {"mlp_bias", &Shape::feed_forward_biases}, tied}, attention},
      {"mistral", llama, decoder(8, 0, 131'072, 4096), {tied}, attention, settle_windows},
      {"mixtral",
       llama,
       with(decoder(8, 0, 131'072, 0), experts("num_local_experts", 8, 2)),
       {tied},
       attention,
       settle_windows},
      {"qwen2",
       with(llama, [](Shape& s) { s.query_biases = true; }),
       decoder(32, 0, 32'768, 4096),
       {tied},
       attention,
       settle_qwen},
      {"qwen2_moe",
       with(llama, [](Shape& s) { s.query_biases = s.shared_gate = true; }),
       with(with(decoder(16, 0, 32'768, 4096), experts("num_experts", 60, 4)), {width}),
       {{"qkv_bias", &Shape::query_biases}, tied},
       attention,
       settle_shared_experts},
      {"qwen3",
       with(llama, [](Shape& s) { s.head_norms = true; }),
       decoder(32, 128, 32'768, 4096),
       {biases, tied},
       attention,
       settle_qwen},
      {"qwen3_moe",
       with(llama, [](Shape& s) { s.head_norms = true; }),
       with(with(decoder(4, 0, 32'768, 4096), experts("num_experts", 128, 8)), {width}),
       {biases, tied},
       attention,
       settle_qwen_experts},
      {"gemma", with(llama, [](Shape& s) { s.tied = true; }), decoder(16, 256, 8192), {biases, tied}, attention},
      {"gemma2",
       with(llama, [](Shape& s) { s.tied = true, s.block_norms = 4, s.window_every = 2; }),
       decoder(4, 256, 8192, 4096),
       {biases, tied},
       attention,
       settle_windows},
      {"gemma3_text",
       with(llama, [](Shape& s) { s.tied = s.head_norms = true, s.block_norms = 4; }),
       gemma3,
       {biases, tied},
       attention,
       settle_windows},
      {"phi",
       with(llama,
            [](Shape& s) {
              s.norm = Norm::kLayer, s.gated = false, s.block_norms = 1;
              s.attention_biases = s.feed_forward_biases = s.head_bias = true;
            }),
       decoder(0, 0, 2048),
       {tied},
       {{"resid_pdrop", 0}, {"embd_pdrop", 0}, {"attention_dropout", 0}}},
      {"phi3",
       llama,
       decoder(0, 0, 4096, 0),
       {tied},
       {{"resid_pdrop", 0}, {"embd_pdrop", 0}, {"attention_dropout", 0}},
       settle_windows},
      {"falcon",
       with(llama, [](Shape& s) { s.norm = Norm::kLayer, s.gated = false, s.tied = true; }),
       {{"num_hidden_layers", "layers", &Shape::layers, {}, false, "n_layer"},
        {"hidden_size", "hidden", &Shape::hidden, {}},
        {"num_attention_heads", "heads", &Shape::heads, {}, false, "n_head"},
        {"vocab_size", "vocabulary", &Shape::vocabulary, {}},
        {"num_kv_heads", "kv_heads", &Shape::kv_heads, 0, true, "n_head_kv"},
        {"ffn_hidden_size", "feed_forward", &Shape::feed_forward, 0, true},
        {"max_position_embeddings", "sequence", &Shape::sequence, 2048}},
       {tied},
       {{"hidden_dropout", 0}, {"attention_dropout", 0}},
       settle_falcon},
      {"deepseek_v2", llama, deepseek, {tied}, attention, settle_deepseek},
      {"deepseek_v3", llama, deepseek, {tied}, attention, settle_deepseek},
      {"gpt_oss",
       with(llama, [](Shape& s) { s.attention_biases = s.feed_forward_biases = true, s.window_every = 2; }),
       with(decoder(8, 64, 131'072, 128), experts("num_local_experts", 128, 4)),
       {biases, tied},
       attention,
       settle_windows},
      {"gpt2",
       gpt_shape(0, 0, 0, 0),
       {{"n_layer", "layers", &Shape::layers, {}},
        {"n_embd", "hidden", &Shape::hidden, {}},
        {"n_head", "heads", &Shape::heads, {}},
        {"vocab_size", "vocabulary", &Shape::vocabulary, {}},
        {"n_inner", "feed_forward", &Shape::feed_forward, 0, true},
        {"n_positions", "positions", &Shape::positions, 1024}},
       {tied},
       {{"resid_pdrop", 0.1}, {"embd_pdrop", 0.1}, {"attn_pdrop", 0.1}},
       refuse_crossing},
      {"gpt_neox",
       with(llama,
            [](Shape& s) {
              s.norm = Norm::kLayer, s.gated = false;
              s.attention_biases = s.feed_forward_biases = true;
            }),
       with(named, {{"max_position_embeddings", "sequence", &Shape::sequence, 2048}}),
       {biases, tied},
       {{"hidden_dropout", 0}, {"attention_dropout", 0}}},
      {"bert",
       bert_shape(0, 0, 0),
       with(named, {{"max_position_embeddings", "positions", &Shape::positions, 512},
                    {"type_vocab_size", "token_types", &Shape::token_types, 2}}),
       {},
       {{"hidden_dropout_prob", 0.1}, {"attention_probs_dropout_prob", 0.1}},
       settle_bert},
      {"vit",
       with(bert_shape(0, 0, 0), [](Shape& s) { s.token_types = 0, s.final_norm = true, s.embedding_norm = false; }),
       {named.begin(), named.begin() + 4},
       {},
       {{"hidden_dropout_prob", 0}, {"attention_probs_dropout_prob", 0}},
       settle_vit}};
}

}  // namespace

const std::vector<Family>& config_families() {
  static const std::vector<Family> all = made();
  return all;
}

}  // namespace helio::workload
