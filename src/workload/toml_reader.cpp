// SPDX-License-Identifier: Apache-2.0
#include "workload/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/units.h"
#include "workload/toml_text.h"

namespace helio::workload {
TomlReader::TomlReader(const toml::table& table, std::string source, std::string what, std::vector<std::string> legal)
    : table_(table), source_(std::move(source)), what_(std::move(what)), legal_(std::move(legal)) {
  for (const auto& [key, node] : table_)
    if (std::ranges::find(legal_, key.str()) == legal_.end())
      throw unknown_name(what_ + " key", key.str(), legal_, toml_place(source_, key.source()));
}

std::string TomlReader::place(std::string_view key) const {
  const toml::node* node = key.empty() ? nullptr : table_.get(key);
  const toml::source_region& region = node ? node->source() : table_.source();
  // The root of an empty file has no place of its own.
  return region.begin ? toml_place(source_, region) : source_ + ":1:1";
}

const toml::node* TomlReader::find(std::string_view key) const {
  if (std::ranges::find(legal_, key) == legal_.end())
    throw std::logic_error(fmt::format("the {} key '{}' is read but not declared", what_, key));
  return table_.get(key);
}

Error TomlReader::missing(std::string_view key) const {
  return Error(ErrorKind::kInput, fmt::format("the {} has no '{}'", what_, key), place(),
               fmt::format("add '{} = …': docs/model-file.md", key));
}

Error TomlReader::wrong(std::string_view key, std::string what, std::string advice) const {
  return Error(ErrorKind::kInput, std::move(what), place(key), std::move(advice));
}

std::optional<std::uint64_t> TomlReader::whole(std::string_view key, std::uint64_t least, std::uint64_t most) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const std::string advice = fmt::format("give a whole number from {} to {}", least, most);
  const auto* integer = node->as_integer();
  if (!integer) throw wrong(key, fmt::format("'{}' must be a whole number", key), advice);
  const std::int64_t value = integer->get();
  if (value < 0 || static_cast<std::uint64_t>(value) < least || static_cast<std::uint64_t>(value) > most)
    throw wrong(key, fmt::format("'{}' is {}, out of bounds", key, value), advice);
  return static_cast<std::uint64_t>(value);
}

std::optional<double> TomlReader::number(std::string_view key, double most) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const std::string advice = fmt::format("give a number from 0 to {:g}", most);
  if (!node->is_number()) throw wrong(key, fmt::format("'{}' must be a number", key), advice);
  const double value = *node->value<double>();
  if (!std::isfinite(value) || value < 0 || value > most)
    throw wrong(key, fmt::format("'{}' is {:g}, out of bounds", key, value), advice);
  return value;
}

std::optional<double> TomlReader::bytes(std::string_view key, double most) const {
  const toml::node* node = find(key);
  if (!node || !node->is_string()) return number(key, most);
  try {
    const double value = parse_bytes(**node->as_string()).value;
    if (value < 0 || value > most) throw wrong(key, fmt::format("'{}' is out of bounds", key), "give fewer bytes");
    return value;
  } catch (const Error& error) {
    throw error.at(place(key));
  }
}

std::optional<bool> TomlReader::truth(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (const auto* value = node->as_boolean()) return value->get();
  throw wrong(key, fmt::format("'{}' must be true or false", key), "write it without quotes");
}

std::optional<std::string> TomlReader::text(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  const auto* value = node->as_string();
  if (!value || value->get().empty())
    throw wrong(key, fmt::format("'{}' must be a text", key), "write it in quotes, and not empty");
  return value->get();
}

std::optional<std::size_t> TomlReader::choice(std::string_view key, const std::vector<std::string>& choices) const {
  const std::optional<std::string> value = text(key);
  if (!value) return std::nullopt;
  const auto found = std::ranges::find(choices, *value);
  if (found == choices.end()) throw unknown_name(std::string(key), *value, choices, place(key));
  return static_cast<std::size_t>(found - choices.begin());
}

const toml::table* TomlReader::table(std::string_view key) const {
  const toml::node* node = find(key);
  if (!node) return nullptr;
  if (const toml::table* value = node->as_table()) return value;
  throw wrong(key, fmt::format("'{}' must be a table", key), fmt::format("write {} = {{ … }}", key));
}

}  // namespace helio::workload
