// SPDX-License-Identifier: Apache-2.0
#include "workload/config_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "source_dir.h"
#include "workload/refusing.h"
#include "workload/zoo.h"

namespace helio::workload {
namespace {

Workload parse(const std::string& text, const Settings& settings = {}) {
  return parse_config(text, "some/config.json", settings);
}

// The same shape, however it came: every layer alike.
void expect_equal(const Workload& a, const Workload& b) {
  EXPECT_EQ(a.parameters(), b.parameters());
  EXPECT_EQ(a.forward_flops(), b.forward_flops());
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    EXPECT_EQ(a.layers[i].kept_elements, b.layers[i].kept_elements);
    EXPECT_EQ(a.layers[i].kept_whole_elements, b.layers[i].kept_whole_elements);
    EXPECT_EQ(a.layers[i].whole_parameters, b.layers[i].whole_parameters);
    EXPECT_EQ(a.layers[i].kernels.size(), b.layers[i].kernels.size());
  }
}

TEST(ConfigJson, TheExampleIsLlama7b) {
  const Workload workload = load(HELIO_SOURCE_DIR "/examples/models/llama-7b/config.json", {}, "model");
  expect_equal(workload, load("llama-7b", {}, "model"));
  EXPECT_EQ(workload.name, "llama-7b");
}

TEST(ConfigJson, Gpt2XlIsThatOfTheZoo) {
  const std::string text = R"({"model_type": "gpt2", "n_embd": 1600, "n_layer": 48, "n_head": 25, "vocab_size": 50257,
    "n_inner": null, "resid_pdrop": 0.1, "activation_function": "gelu_new"})";
  expect_equal(parse(text), load("gpt2-xl", {}, "model"));
}

TEST(ConfigJson, BertLargeIsThatOfTheZoo) {
  const std::string text =
      R"({"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16,
    "intermediate_size": 4096, "vocab_size": 30522, "position_embedding_type": "absolute"})";
  expect_equal(parse(text), load("bert-large", {}, "model"));
  expect_equal(parse(text, {{"sequence", {"128", "--set"}}}), load("bert-large", {{"sequence", {"128", ""}}}, "model"));
}

// Mixtral's key-value heads and experts have defaults in the library.
TEST(ConfigJson, MixtralIsThatOfTheZoo) {
  const std::string text = R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "intermediate_size": 14336, "vocab_size": 32000})";
  expect_equal(parse(text, {{"sequence", {"4096", "--set"}}}), load("mixtral-8x7b", {}, "model"));
  EXPECT_EQ(parse(text).tokens, 131'072u);
}

// A small one with what `more` says, ", KEY: VALUE…", in place of its own or beside it.
std::string llama(const std::string& more) {
  nlohmann::json config = nlohmann::json::parse(
      R"({"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 16,
          "vocab_size": 10})");
  if (!more.empty()) config.update(nlohmann::json::parse("{" + more.substr(1) + "}"));
  return config.dump();
}

// Of 2 blocks with h = 8 and f = 16: 4h² + 3hf + 2h = 656 each, two tables of 80, a norm.
TEST(ConfigJson, OptionalKeysOfLlama) {
  constexpr std::uint64_t kPlain = 2 * 656 + 160 + 8;
  EXPECT_EQ(parse(llama("")).parameters(), kPlain);
  EXPECT_EQ(parse(llama(R"(, "tie_word_embeddings": true)")).parameters(), kPlain - 80);
  EXPECT_EQ(parse(llama(R"(, "num_key_value_heads": 2)")).parameters(), kPlain - 2 * 2 * 8 * 4);
  EXPECT_EQ(parse(llama(R"(, "num_key_value_heads": null, "head_dim": null)")).parameters(), kPlain);
  EXPECT_EQ(parse(llama(R"(, "head_dim": 4)")).parameters(), kPlain + 2 * 4 * 8 * 8);
  EXPECT_EQ(parse(llama(R"(, "attention_bias": true)")).parameters(), kPlain + 2 * 4 * 8);
  EXPECT_EQ(parse(llama(R"(, "mlp_bias": true)")).parameters(), kPlain + 2 * (2 * 16 + 8));
  EXPECT_EQ(parse(llama(R"(, "max_position_embeddings": 99)")).tokens, 99u);
  EXPECT_EQ(parse(llama("")).tokens, 2048u);
}

TEST(ConfigJson, WrongFilesAreRefused) {
  const std::string file = "some/config.json", huge = "99999999999999999999999";
  const Refused cases[] = {
      {"", file + ":1:1", "not a JSON file"},
      {"{\"model_type\": \"llama\",\n  \"hidden_size\": }", file + ":2:18", "not a JSON file"},
      {"{\"a\": 1e999}", file + ":1:11", "not a JSON file"},
      {R"({"model_type": "llama", "model_type": "gpt2"})", file + ":1:25", "'model_type' is given twice"},
      {"\xff\xfe", file + ":1:1", "not a JSON file"},
      {"[1, 2]", file + ":1:1", "not an object"},
      {"{}", file, "'model_type' is missing"},
      {R"({"model_type": 3})", file, "'model_type'"},
      {R"({"model_type": "t5"})", file, "llama, mistral, mixtral, qwen2"},
      {R"({"model_type": "lama"})", file, "did you mean 'llama'"},
      {R"({"model_type": "llama"})", file, "'num_hidden_layers' is missing"},
      {R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8})", file, "'n_head' is missing"},
      {llama(R"(, "hidden_size": "8")"), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": 8.5)"), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": null)"), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": 0)"), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": -8)"), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": )" + huge), file, "key 'hidden_size'"},
      {llama(R"(, "hidden_size": 18446744073709551615)"), file, "key 'hidden_size'"},
      {llama(R"(, "num_hidden_layers": 1000000000000)"), file, "key 'num_hidden_layers'"},
      {llama(R"(, "num_key_value_heads": 0)"), file, "key 'num_key_value_heads'"},
      {llama(R"(, "num_key_value_heads": 3)"), file, "key 'num_key_value_heads'"},
      {llama(R"(, "num_attention_heads": 3)"), file, "key 'num_attention_heads'"},
      {llama(R"(, "tie_word_embeddings": 1)"), file, "key 'tie_word_embeddings'"},
      {llama(R"(, "max_position_embeddings": 999999999999)"), file, "key 'max_position_embeddings'"},
      {R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8, "n_head": 1, "vocab_size": 9, "attn_pdrop": 2})", file,
       "key 'attn_pdrop'"},
      {R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8, "n_head": 1, "vocab_size": 9, "add_cross_attention": true})",
       file, "cross-attention"},
      {R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8, "n_head": 1, "vocab_size": 9, "n_positions": 99999999999})",
       file, "key 'n_positions'"},
      {R"({"model_type": "bert", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8,
           "vocab_size": 9, "position_embedding_type": "relative_key"})",
       file, "absolute"},
  };
  for (const Refused& refused : cases) expect_refused(refused, [&] { parse(refused.text); });
  expect_refused({"too long", "--set", "1024 positions"}, [] {
    parse(R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8, "n_head": 1, "vocab_size": 9})",
          {{"sequence", {"1025", "--set"}}});
  });
}

// Without dropout nothing of it is read, written or kept.
TEST(ConfigJson, DropoutIsReadFromTheProbabilities) {
  const std::string text = R"({"model_type": "gpt2", "n_layer": 1, "n_embd": 8, "n_head": 1, "vocab_size": 9)";
  const Workload with = parse(text + "}");
  const Workload without = parse(text + R"(, "resid_pdrop": 0, "embd_pdrop": 0.0, "attn_pdrop": 0})");
  EXPECT_GT(with.layers[1].kept_elements, without.layers[1].kept_elements);
}

}  // namespace
}  // namespace helio::workload
