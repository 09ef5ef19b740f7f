// SPDX-License-Identifier: Apache-2.0
#include "workload/config_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "workload/own_sequence.h"
#include "workload/transformer.h"
#include "workload/transformer_zoo.h"

namespace helio::workload {
namespace {

// A size of the shape: `field` names it in faults. Without a fallback the key must be there; a key that is null means 0, "not
// given", where `may_be_null`.
struct SizeKey {
  const char* key;
  const char* field;
  std::uint64_t TransformerShape::*size;
  std::optional<std::uint64_t> fallback;
  bool may_be_null = false;
};
struct FlagKey {
  const char* key;
  bool TransformerShape::*flag;
};
struct Family {
  std::string name;
  TransformerShape shape;  // what the sizes do not say; flags as they are without a key
  std::vector<SizeKey> sizes;
  std::vector<FlagKey> flags;
  std::vector<const char*> dropouts;  // probabilities, 0.1 each where missing: any above 0 is a dropout
  bool crosses = false;               // may have `add_cross_attention`, which we do not count
};

using Shape = TransformerShape;

// After the classes LlamaConfig, GPT2Config, BertConfig and MixtralConfig of transformers 4.
const std::vector<Family>& families() {
  const std::vector<SizeKey> named = {{"num_hidden_layers", "layers", &Shape::layers, {}},
                                      {"hidden_size", "hidden", &Shape::hidden, {}},
                                      {"num_attention_heads", "heads", &Shape::heads, {}},
                                      {"intermediate_size", "feed_forward", &Shape::feed_forward, {}},
                                      {"vocab_size", "vocabulary", &Shape::vocabulary, {}}};
  const auto with = [&named](std::vector<SizeKey> more) {
    more.insert(more.begin(), named.begin(), named.end());
    return more;
  };
  static const std::vector<Family> all = {
      {.name = "llama",
       .shape = llama_shape(0, 0, 0, 0),
       .sizes = with({{"num_key_value_heads", "kv_heads", &Shape::kv_heads, 0, true},
                      {"head_dim", "head_size", &Shape::head_size, 0, true},
                      {"max_position_embeddings", "sequence", &Shape::sequence, 2048}}),
       .flags = {{"attention_bias", &Shape::attention_biases},
                 {"mlp_bias", &Shape::feed_forward_biases},
                 {"tie_word_embeddings", &Shape::tied}},
       .dropouts = {}},
      {.name = "gpt2",
       .shape = gpt_shape(0, 0, 0, 0),
       .sizes = {{"n_layer", "layers", &Shape::layers, {}},
                 {"n_embd", "hidden", &Shape::hidden, {}},
                 {"n_head", "heads", &Shape::heads, {}},
                 {"vocab_size", "vocabulary", &Shape::vocabulary, {}},
                 {"n_inner", "feed_forward", &Shape::feed_forward, 0, true},
                 {"n_positions", "positions", &Shape::positions, 1024}},
       .flags = {{"tie_word_embeddings", &Shape::tied}},
       .dropouts = {"resid_pdrop", "embd_pdrop", "attn_pdrop"},
       .crosses = true},
      {.name = "bert",
       .shape = bert_shape(0, 0, 0),
       .sizes = with({{"max_position_embeddings", "positions", &Shape::positions, 512},
                      {"type_vocab_size", "token_types", &Shape::token_types, 2}}),
       .flags = {},
       .dropouts = {"hidden_dropout_prob", "attention_probs_dropout_prob"},
       .crosses = true},
      {.name = "mixtral",
       .shape = llama_shape(0, 0, 0, 0),
       .sizes = with({{"num_key_value_heads", "kv_heads", &Shape::kv_heads, 8, true},
                      {"head_dim", "head_size", &Shape::head_size, 0, true},
                      {"num_local_experts", "experts", &Shape::experts, 8},
                      {"num_experts_per_tok", "top_k", &Shape::top_k, 2},
                      {"max_position_embeddings", "sequence", &Shape::sequence, 131'072}}),
       .flags = {{"tie_word_embeddings", &Shape::tied}},
       .dropouts = {}}};
  return all;
}

class ConfigReader {
 public:
  ConfigReader(const Json& root, const std::string& source) : root_(root), source_(source) {}

  const Family& family() const {
    const Json* type = find("model_type");
    if (!type) throw missing("model_type");
    if (!type->is_string()) throw wrong("model_type", "must be a text", "give the model's family");
    std::vector<std::string> names;
    for (const Family& family : families()) names.push_back(family.name);
    const auto name = type->get<std::string>();
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) throw unknown_name("model_type", name, names, source_);
    return families()[static_cast<std::size_t>(found - names.begin())];
  }

  TransformerShape shape(const Family& family) const {
    TransformerShape shape = family.shape;
    for (const SizeKey& size : family.sizes) shape.*size.size = this->size(size);
    for (const FlagKey& flag : family.flags) shape.*flag.flag = truth(flag.key).value_or(shape.*flag.flag);
    if (shape.position_kind == Positions::kLearned) shape.sequence = shape.positions;
    double dropout = 0;
    for (const char* key : family.dropouts) dropout = std::max(dropout, probability(key));
    shape.dropout = dropout > 0;

    // What would change the count in a way that is not modelled
    if (family.crosses && truth("add_cross_attention").value_or(false))
      throw wrong("add_cross_attention", "is not supported", "give a model without cross-attention");
    const Json* kind = family.name == "bert" ? find("position_embedding_type") : nullptr;
    if (kind && *kind != "absolute")
      throw wrong("position_embedding_type", "must be \"absolute\"", "other kinds are not supported");
    return shape;
  }

  Error wrong(std::string_view key, std::string_view what, std::string advice) const {
    return Error(ErrorKind::kInput, fmt::format("key '{}': {}", key, what), source_, std::move(advice));
  }

 private:
  const Json* find(std::string_view key) const {
    const auto found = root_.find(key);
    return found == root_.end() ? nullptr : &*found;
  }

  Error missing(std::string_view key) const {
    return Error(ErrorKind::kInput, fmt::format("the key '{}' is missing", key), source_,
                 "give the config.json of a model, as Hugging Face has it: docs/model-file.md");
  }

  std::uint64_t size(const SizeKey& size) const {
    const Json* value = find(size.key);
    if (!value) {
      if (size.fallback) return *size.fallback;
      throw missing(size.key);
    }
    if (value->is_null() && size.may_be_null) return 0;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() == 0)
      throw wrong(size.key, "must be a positive whole number", "correct the value");
    return value->get<std::uint64_t>();
  }

  std::optional<bool> truth(const char* key) const {
    const Json* value = find(key);
    if (!value) return std::nullopt;
    if (!value->is_boolean()) throw wrong(key, "must be true or false", "correct the value");
    return value->get<bool>();
  }

  double probability(const char* key) const {
    const Json* value = find(key);
    if (!value) return 0.1;  // of GPT2Config and BertConfig
    if (!value->is_number() || value->get<double>() < 0 || value->get<double>() > 1)
      throw wrong(key, "must be a number from 0 to 1", "correct the value");
    return value->get<double>();
  }

  const Json& root_;
  const std::string& source_;
};

}  // namespace

Workload parse_config(std::string_view text, const std::string& source, const Settings& settings) {
  const Json root = parse_json(text, source, "correct the file: docs/model-file.md says what is read");
  if (!root.is_object())
    throw Error(ErrorKind::kInput, "the file is JSON, but not an object with keys", source + ":1:1",
                "give a config.json of Hugging Face: docs/model-file.md");
  const ConfigReader reader(root, source);
  const Family& family = reader.family();
  TransformerShape shape = reader.shape(family);

  // What a setting changes, and what is wrong with the whole, in the words of the file
  const Parameters parameters = own_parameters(source, settings);
  if (parameters.has("sequence")) shape.sequence = static_cast<std::uint64_t>(parameters.integer("sequence"));
  if (const std::optional<ShapeFault> found = fault(shape)) {
    if (found->field == "sequence" && parameters.has("sequence"))
      throw Error(ErrorKind::kInput, found->what, parameters.place("sequence"), found->advice);
    for (const SizeKey& size : family.sizes)
      if (found->field == size.field || (found->field == "sequence" && size.size == &Shape::positions))
        throw reader.wrong(size.key, found->what, found->advice);
    throw reader.wrong(found->field, found->what, found->advice);
  }

  Workload workload = transformer(shape);
  const std::string folder = std::filesystem::path(source).parent_path().filename().string();
  workload.name = folder.empty() || folder == "." || folder == ".." ? family.name : folder;
  workload.title = workload.name;
  workload.reference = fmt::format("Hugging Face {}, family {}", source, family.name);
  return workload;
}

}  // namespace helio::workload
