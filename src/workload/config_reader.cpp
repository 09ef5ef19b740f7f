// SPDX-License-Identifier: Apache-2.0
#include "workload/config_reader.h"

#include "base/json_dump.h"

#include <fmt/format.h>

#include <algorithm>

namespace helio::workload {
namespace {

// Of tokens, files and generation, and constants of norms and of initial values.
bool says_nothing(std::string_view key) {
  constexpr std::string_view kNames[] = {"architectures",
                                         "auto_map",
                                         "torch_dtype",
                                         "dtype",
                                         "transformers_version",
                                         "use_cache",
                                         "pretraining_tp",
                                         "hidden_act",
                                         "hidden_activation",
                                         "activation_function",
                                         "id2label",
                                         "label2id",
                                         "task_specific_params",
                                         "max_window_layers",
                                         "layer_norm_epsilon",
                                         "layer_norm_eps",
                                         "rms_norm_eps",
                                         "rope_theta",
                                         "rope_local_base_freq",
                                         "cache_implementation",
                                         "rotary_emb_base",
                                         "apply_residual_connection_post_layernorm",
                                         "finetuning_task",
                                         "gradient_checkpointing",
                                         "classifier_dropout",
                                         "position_embedding_type",
                                         "model_type",
                                         "language"};
  return std::ranges::find(kNames, key) != std::end(kNames) || key.ends_with("token_id") || key.ends_with("_token") ||
         key.starts_with("_") || key.starts_with("initializer") || key.starts_with("output_") ||
         key.starts_with("summary_");
}

// An empty value, a false one, a probability of 0.
bool is_nothing(const Json& value) {
  return value.is_null() || value.empty() || value == false || (value.is_number() && value == 0) || value == "";
}

constexpr std::size_t kLongestValue = 48;

}  // namespace

const Json* ConfigReader::find(std::string_view key) const {
  read_.emplace(key);
  const auto found = root_.find(key);
  return found == root_.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> ConfigReader::size(const char* key) const {
  const Json* value = find(key);
  if (!value || value->is_null()) return std::nullopt;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() == 0)
    throw wrong(key, "must be a positive whole number", "correct the value");
  return value->get<std::uint64_t>();
}

std::optional<bool> ConfigReader::truth(const char* key) const {
  const Json* value = find(key);
  if (!value || value->is_null()) return std::nullopt;
  if (!value->is_boolean()) throw wrong(key, "must be true or false", "correct the value");
  return value->get<bool>();
}

std::optional<double> ConfigReader::probability(const char* key) const {
  const Json* value = find(key);
  if (!value || value->is_null()) return std::nullopt;
  if (!value->is_number() || value->get<double>() < 0 || value->get<double>() > 1)
    throw wrong(key, "must be a number from 0 to 1", "correct the value");
  return value->get<double>();
}

std::optional<std::string> ConfigReader::text(const char* key) const {
  const Json* value = find(key);
  if (!value || value->is_null()) return std::nullopt;
  if (!value->is_string()) throw wrong(key, "must be a text", "correct the value");
  return value->get<std::string>();
}

std::vector<std::string> ConfigReader::unread() const {
  std::vector<std::string> found;
  for (const auto& [key, value] : root_.items()) {
    if (read_.contains(key) || says_nothing(key) || is_nothing(value)) continue;
    std::string text = json_dump(value);
    if (text.size() > kLongestValue) text = value.is_array() ? "[…]" : value.is_object() ? "{…}" : "…";
    found.push_back(fmt::format("{} = {}", key, text));
  }
  return found;
}

Error ConfigReader::missing(std::string_view key) const {
  return Error(ErrorKind::kInput, fmt::format("the key '{}' is missing", key), source_,
               "give the config.json of a model, as Hugging Face has it: docs/model-file.md");
}

Error ConfigReader::wrong(std::string_view key, std::string_view what, std::string advice) const {
  return Error(ErrorKind::kInput, fmt::format("key '{}': {}", key, what), source_, std::move(advice));
}

}  // namespace helio::workload
