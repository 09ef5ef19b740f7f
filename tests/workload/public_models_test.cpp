// SPDX-License-Identifier: Apache-2.0
// Models that people have: the sizes that their config.json says, and the parameters of their checkpoints, which Hugging Face shows
// beside each ("safetensors": the elements of its tensors) or its publisher prints. 0.1 % is what is promised; what is not counted are
// biases of routers and attention sinks (GPT-OSS) and the corrections of DeepSeek-V3's router.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "workload/config_json.h"

namespace helio::workload {
namespace {

struct Published {
  const char *name, *config;
  std::uint64_t parameters;
  const char* source;
};
constexpr const char* kIndex = "safetensors of the checkpoint";

const Published kModels[] = {
    {"Llama 2 7B",
     R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
       "num_key_value_heads": 32, "vocab_size": 32000, "max_position_embeddings": 4096, "tie_word_embeddings": false})",
     6'738'415'616, kIndex},
    {"Llama 3.1 8B",
     R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
       "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false})",
     8'030'261'248, kIndex},
    {"Llama 3.1 70B",
     R"({"model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80, "num_attention_heads": 64,
       "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072, "tie_word_embeddings": false})",
     70'553'706'496, kIndex},
    {"Llama 3.1 405B",
     R"({"model_type": "llama", "hidden_size": 16384, "intermediate_size": 53248, "num_hidden_layers": 126,
       "num_attention_heads": 128, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072})",
     405'853'388'800, kIndex},
    {"Llama 3.2 1B",
     R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32,
       "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256, "max_position_embeddings": 131072,
       "tie_word_embeddings": true})",
     1'235'814'400, kIndex},
    {"Mistral 7B",
     R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
       "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "sliding_window": 4096,
       "max_position_embeddings": 32768, "tie_word_embeddings": false})",
     7'241'732'096, kIndex},
    {"Mixtral 8x7B",
     R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
       "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
       "num_experts_per_tok": 2, "max_position_embeddings": 32768, "sliding_window": null, "tie_word_embeddings": false})",
     46'702'792'704, kIndex},
    {"Mixtral 8x22B",
     R"({"model_type": "mixtral", "hidden_size": 6144, "intermediate_size": 16384, "num_hidden_layers": 56,
       "num_attention_heads": 48, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
       "num_experts_per_tok": 2, "max_position_embeddings": 65536, "tie_word_embeddings": false})",
     140'620'634'112, kIndex},
    {"Qwen2.5 0.5B",
     R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14,
       "num_key_value_heads": 2, "vocab_size": 151936, "max_position_embeddings": 32768, "sliding_window": 32768,
       "use_sliding_window": false, "tie_word_embeddings": true})",
     494'032'768, kIndex},
    {"Qwen2.5 7B",
     R"({"model_type": "qwen2", "hidden_size": 3584, "intermediate_size": 18944, "num_hidden_layers": 28,
       "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064, "max_position_embeddings": 131072,
       "sliding_window": 131072, "use_sliding_window": false, "tie_word_embeddings": false})",
     7'615'616'512, kIndex},
    {"Qwen2.5 72B",
     R"({"model_type": "qwen2", "hidden_size": 8192, "intermediate_size": 29568, "num_hidden_layers": 80,
       "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 152064, "max_position_embeddings": 131072,
       "use_sliding_window": false, "tie_word_embeddings": false})",
     72'706'203'648, kIndex},
    {"Qwen1.5-MoE-A2.7B",
     R"({"model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24,
       "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 151936, "moe_intermediate_size": 1408,
       "shared_expert_intermediate_size": 5632, "num_experts": 60, "num_experts_per_tok": 4, "decoder_sparse_step": 1,
       "max_position_embeddings": 8192, "use_sliding_window": false, "tie_word_embeddings": false})",
     14'315'784'192, kIndex},
    {"Qwen3 0.6B",
     R"({"model_type": "qwen3", "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16,
       "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936, "max_position_embeddings": 40960,
       "attention_bias": false, "use_sliding_window": false, "tie_word_embeddings": true})",
     596'049'920, "elements of its tensors, the head once"},
    {"Qwen3 8B",
     R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36,
       "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
       "max_position_embeddings": 40960, "attention_bias": false, "use_sliding_window": false, "tie_word_embeddings": false})",
     8'190'735'360, kIndex},
    {"Qwen3 30B-A3B",
     R"({"model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 48,
       "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 151936,
       "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1,
       "mlp_only_layers": [], "max_position_embeddings": 40960, "tie_word_embeddings": false})",
     30'532'122'624, kIndex},
    {"Qwen3 235B-A22B",
     R"({"model_type": "qwen3_moe", "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 94,
       "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 151936,
       "moe_intermediate_size": 1536, "num_experts": 128, "num_experts_per_tok": 8, "decoder_sparse_step": 1,
       "mlp_only_layers": [], "max_position_embeddings": 40960, "tie_word_embeddings": false})",
     235'093'634'560, kIndex},
    {"Gemma 2B",
     R"({"model_type": "gemma", "hidden_size": 2048, "intermediate_size": 16384, "num_hidden_layers": 18, "num_attention_heads": 8,
       "num_key_value_heads": 1, "head_dim": 256, "vocab_size": 256000, "max_position_embeddings": 8192})",
     2'506'172'416, kIndex},
    {"Gemma 7B",
     R"({"model_type": "gemma", "hidden_size": 3072, "intermediate_size": 24576, "num_hidden_layers": 28,
       "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256, "vocab_size": 256000,
       "max_position_embeddings": 8192})",
     8'537'680'896, kIndex},
    {"Gemma 2 9B",
     R"({"model_type": "gemma2", "hidden_size": 3584, "intermediate_size": 14336, "num_hidden_layers": 42,
       "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "vocab_size": 256000, "sliding_window": 4096,
       "max_position_embeddings": 8192})",
     9'241'705'984, kIndex},
    {"Gemma 2 27B",
     R"({"model_type": "gemma2", "hidden_size": 4608, "intermediate_size": 36864, "num_hidden_layers": 46,
       "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "vocab_size": 256000, "sliding_window": 4096,
       "max_position_embeddings": 8192})",
     27'227'128'320, kIndex},
    {"Gemma 3 1B",
     R"({"model_type": "gemma3_text", "hidden_size": 1152, "intermediate_size": 6912, "num_hidden_layers": 26,
       "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256, "vocab_size": 262144, "sliding_window": 512,
       "sliding_window_pattern": 6, "max_position_embeddings": 32768})",
     999'885'952, kIndex},
    {"Phi-2",
     R"({"model_type": "phi", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_attention_heads": 32,
       "num_key_value_heads": 32, "vocab_size": 51200, "max_position_embeddings": 2048, "resid_pdrop": 0.1,
       "tie_word_embeddings": false})",
     2'779'683'840, kIndex},
    {"Phi-3 mini",
     R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192, "num_hidden_layers": 32, "num_attention_heads": 32,
       "num_key_value_heads": 32, "vocab_size": 32064, "max_position_embeddings": 4096, "sliding_window": 2047,
       "tie_word_embeddings": false})",
     3'821'079'552, kIndex},
    {"Falcon 7B",
     R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "vocab_size": 65024,
       "multi_query": true, "parallel_attn": true, "new_decoder_architecture": false, "bias": false, "alibi": false})",
     7'217'189'760 - 65'024 * 4'544ull, "safetensors of the checkpoint, less the copy of the embedding for the head"},
    {"DeepSeek-V2-Lite",
     R"({"model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "num_hidden_layers": 27,
       "num_attention_heads": 16, "num_key_value_heads": 16, "vocab_size": 102400, "q_lora_rank": null, "kv_lora_rank": 512,
       "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 64, "n_shared_experts": 2,
       "num_experts_per_tok": 6, "moe_intermediate_size": 1408, "first_k_dense_replace": 1, "moe_layer_freq": 1,
       "max_position_embeddings": 163840, "tie_word_embeddings": false})",
     15'706'484'224, kIndex},
    {"DeepSeek-V2",
     R"({"model_type": "deepseek_v2", "hidden_size": 5120, "intermediate_size": 12288, "num_hidden_layers": 60,
       "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 102400, "q_lora_rank": 1536, "kv_lora_rank": 512,
       "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 160, "n_shared_experts": 2,
       "num_experts_per_tok": 6, "moe_intermediate_size": 1536, "first_k_dense_replace": 1, "moe_layer_freq": 1,
       "max_position_embeddings": 163840, "tie_word_embeddings": false})",
     235'741'434'880, kIndex},
    {"DeepSeek-V3",
     R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61,
       "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 129280, "q_lora_rank": 1536, "kv_lora_rank": 512,
       "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 256, "n_shared_experts": 1,
       "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "first_k_dense_replace": 3, "moe_layer_freq": 1,
       "num_nextn_predict_layers": 1, "max_position_embeddings": 163840, "tie_word_embeddings": false})",
     671'026'419'200, "README_WEIGHTS of the checkpoint: 671B of the main model, here by tensor"},
    {"GPT-OSS 20B",
     R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 24,
       "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "num_local_experts": 32,
       "num_experts_per_tok": 4, "sliding_window": 128, "max_position_embeddings": 131072, "attention_bias": true,
       "tie_word_embeddings": false})",
     20'914'757'184, "OpenAI's model card: 20.9B, here by tensor"},
    {"GPT-OSS 120B",
     R"({"model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 36,
       "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 201088, "num_local_experts": 128,
       "num_experts_per_tok": 4, "sliding_window": 128, "max_position_embeddings": 131072, "attention_bias": true,
       "tie_word_embeddings": false})",
     116'829'156'672, "OpenAI's model card: 116.8B, here by tensor"},
    {"GPT-2",
     R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257})",
     124'439'808, "GPT2LMHeadModel of gpt2 in transformers"},
    {"Pythia 6.9B",
     R"({"model_type": "gpt_neox", "hidden_size": 4096, "intermediate_size": 16384, "num_hidden_layers": 32,
       "num_attention_heads": 32, "vocab_size": 50432, "max_position_embeddings": 2048, "tie_word_embeddings": false})",
     6'857'302'016, "Biderman et al. 2023, model card"},
    {"GPT-NeoX 20B",
     R"({"model_type": "gpt_neox", "hidden_size": 6144, "intermediate_size": 24576, "num_hidden_layers": 44,
       "num_attention_heads": 64, "vocab_size": 50432, "max_position_embeddings": 2048, "tie_word_embeddings": false})",
     20'554'567'680, "Black et al. 2022, model card"},
    {"BERT-Base",
     R"({"model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
       "vocab_size": 30522, "type_vocab_size": 2, "max_position_embeddings": 512})",
     109'482'240, "BertModel of bert-base-uncased in transformers"},
    {"ViT-B/16 of ImageNet-21k",
     R"({"model_type": "vit", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12,
       "image_size": 224, "patch_size": 16, "num_channels": 3, "qkv_bias": true})",
     86'389'248, "ViTModel of google/vit-base-patch16-224-in21k in transformers, with its pooler"},
    {"ViT-L/16",
     R"({"model_type": "vit", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16,
       "image_size": 224, "patch_size": 16, "num_labels": 1000})",
     304'326'632, "torchvision vit_l_16"}};

TEST(PublicModels, ParametersAreWithinAThousandthOfThePublishedOnes) {
  double worst = 0;
  for (const Published& model : kModels) {
    const Workload read = parse_config(model.config, "some/config.json", {});
    const double off = std::abs(static_cast<double>(read.parameters()) / static_cast<double>(model.parameters) - 1);
    EXPECT_LT(off, 1e-3) << model.name << ": " << read.parameters() << ", published " << model.parameters << " ("
                         << model.source << ")";
    worst = std::max(worst, off);
  }
  EXPECT_GE(std::size(kModels), 25u);
  EXPECT_LT(worst, 1e-4);  // GPT-OSS, whose routers have biases
}

// What is not modelled is said: the file's own words, and nothing of what only generation or a loader reads.
TEST(PublicModels, WhatIsNotModelledIsListed) {
  const Workload model = parse_config(
      R"({"model_type": "llama", "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
          "vocab_size": 10, "bos_token_id": 1, "torch_dtype": "bfloat16", "rope_scaling": {"factor": 8.0}, "use_cache": true,
          "quantization_config": null, "mlp_bias": false, "hidden_act": "silu", "logit_scale": 0.5})",
      "some/config.json", {});
  EXPECT_EQ(model.not_modelled, (std::vector<std::string>{"rope_scaling = {\"factor\":8.0}", "logit_scale = 0.5"}));
  EXPECT_EQ(model.shape, "2 blocks of 8; 2 heads of 4; gated feed-forward of 16; rotary positions; 10 words");
}

// Gemma 3 4B: the file of a model of text and images. Its language model alone: 34 blocks of 2560, 8 heads of 256, 4 of them for keys and
// values, and 262,208 words (defaults of the class); google/gemma-3-4b-pt has 3,880,263,168 elements under language_model.
TEST(PublicModels, ALanguageModelWithinAnother) {
  const Workload model = parse_config(
      R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240,
          "num_hidden_layers": 34, "sliding_window": 1024}, "vision_config": {"hidden_size": 1152}})",
      "some/config.json", {});
  EXPECT_NEAR(static_cast<double>(model.parameters()), 3'880'263'168, 1e-3 * 3.88e9);
  EXPECT_EQ(model.not_modelled, std::vector<std::string>{"vision_config = {\"hidden_size\":1152}"});
}

// Of 61 blocks 3 are dense, and latent attention has its narrow layers: without them the same table came to 718 B.
TEST(PublicModels, WindowsAndDenseBlocksAreUnderstood) {
  const auto config = [](const char* more) {
    return parse_config(
               std::string(R"({"model_type": "qwen3", "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 4,
        "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 4, "vocab_size": 10)") +
                   more + "}",
               "some/config.json", {})
        .shape;
  };
  EXPECT_EQ(config("").find("window"), std::string::npos);
  EXPECT_NE(config(R"(, "use_sliding_window": true, "sliding_window": 3)").find("a window of 3;"), std::string::npos);
  EXPECT_NE(config(R"(, "use_sliding_window": true, "sliding_window": 3, "layer_types": ["sliding_attention",
      "full_attention", "sliding_attention", "full_attention"])")
                .find("a window of 3 but in one of 2 blocks"),
            std::string::npos);
}

}  // namespace
}  // namespace helio::workload
