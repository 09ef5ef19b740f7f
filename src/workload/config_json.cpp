// SPDX-License-Identifier: Apache-2.0
#include "workload/config_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "workload/config_families.h"
#include "workload/config_reader.h"
#include "workload/own_sequence.h"
#include "workload/transformer.h"

namespace helio::workload {
namespace {

const Family& family_of(const ConfigReader& reader, const std::string& source) {
  const auto name = reader.text("model_type");
  if (!name) throw reader.missing("model_type");
  std::vector<std::string> names;
  for (const Family& family : config_families()) names.push_back(family.name);
  const auto found = std::ranges::find(names, *name);
  if (found == names.end()) throw unknown_name("model_type", *name, names, source);
  return config_families()[static_cast<std::size_t>(found - names.begin())];
}

std::uint64_t size_of(const ConfigReader& reader, const SizeKey& size) {
  const char* key = size.older && !reader.find(size.key) ? size.older : size.key;
  const Json* value = reader.find(key);
  if (value && value->is_null() && size.may_be_null) return 0;
  if (value && size.may_be_zero && *value == 0) return 0;
  if (value && value->is_null()) throw reader.wrong(key, "must be a positive whole number", "correct the value");
  if (const auto given = reader.size(key)) return *given;
  if (size.fallback) return *size.fallback;
  throw reader.missing(size.key);
}

TransformerShape shape_of(const ConfigReader& reader, const Family& family) {
  TransformerShape shape = family.shape;
  for (const SizeKey& size : family.sizes) shape.*size.size = size_of(reader, size);
  for (const FlagKey& flag : family.flags) shape.*flag.flag = reader.truth(flag.key).value_or(shape.*flag.flag);
  if (shape.position_kind == Positions::kLearned) shape.sequence = shape.positions;
  double dropout = 0;
  for (const Dropout& one : family.dropouts)
    dropout = std::max(dropout, reader.probability(one.key).value_or(one.fallback));
  shape.dropout = dropout > 0;
  if (family.settle) family.settle(shape, reader);
  return shape;
}

}  // namespace

Workload parse_config(std::string_view text, const std::string& source, const Settings& settings) {
  const Json root = parse_json(text, source, "correct the file: docs/model-file.md says what is read");
  if (!root.is_object())
    throw Error(ErrorKind::kInput, "the file is JSON, but not an object with keys", source + ":1:1",
                "give a config.json of Hugging Face: docs/model-file.md");

  // Models of text and images have a language model within
  const ConfigReader outer(root, source);
  const Json* within = outer.find("text_config");
  const bool nested = within && within->is_object() && within->contains("model_type");
  const ConfigReader reader(nested ? *within : root, source);
  if (!nested) reader.find("text_config");
  const Family& family = family_of(reader, source);
  TransformerShape shape = shape_of(reader, family);

  // What a setting changes, and what is wrong with the whole, in the words of the file
  const Parameters parameters = own_parameters(source, settings);
  if (parameters.has("sequence")) {
    if (shape.patch_inputs > 0)
      throw Error(ErrorKind::kInput, "an image has as many tokens as patches", parameters.place("sequence"),
                  "Change image_size in the file.");
    shape.sequence = static_cast<std::uint64_t>(parameters.integer("sequence"));
  }
  if (const std::optional<ShapeFault> found = fault(shape)) {
    if (found->field == "sequence" && parameters.has("sequence"))
      throw Error(ErrorKind::kInput, found->what, parameters.place("sequence"), found->advice);
    for (const SizeKey& size : family.sizes)
      if (found->field == size.field || (found->field == "sequence" && size.size == &TransformerShape::positions))
        throw reader.wrong(size.key, found->what, found->advice);
    throw reader.wrong(found->field, found->what, found->advice);
  }

  Workload workload = transformer(shape);
  if (shape.patch_inputs > 0) workload.sample = fmt::format("image of {} tokens", shape.sequence);
  workload.not_modelled = reader.unread();
  if (nested) std::ranges::move(outer.unread(), std::back_inserter(workload.not_modelled));
  const std::string folder = std::filesystem::path(source).parent_path().filename().string();
  workload.name = folder.empty() || folder == "." || folder == ".." ? family.name : folder;
  workload.title = workload.name;
  workload.reference = fmt::format("Hugging Face {}, family {}", source, family.name);
  return workload;
}

}  // namespace helio::workload
