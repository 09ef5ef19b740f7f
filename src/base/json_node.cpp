// SPDX-License-Identifier: Apache-2.0
#include "base/json_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json_dump.h"

namespace helio {

void JsonNode::keys(std::initializer_list<std::string_view> legal) const {
  if (!value_.is_object()) throw wrong("an object is expected here");
  for (const auto& [key, value] : value_.items())
    if (std::ranges::find(legal, key) == legal.end())
      throw unknown_name("key", key, std::vector<std::string>(legal.begin(), legal.end()), at(key).place());
}

bool JsonNode::has(std::string_view key) const { return value_.contains(key); }

JsonNode JsonNode::at(std::string_view key) const {
  if (!value_.is_object()) throw wrong(fmt::format("an object with '{}' is expected here", key));
  const auto found = value_.find(key);
  if (found == value_.end()) throw wrong(fmt::format("'{}' is missing", key));
  return {*found, origin_, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

std::size_t JsonNode::size() const {
  if (!value_.is_array()) throw wrong("a list is expected here");
  return value_.size();
}

JsonNode JsonNode::at(std::size_t index) const {
  if (index >= size()) throw wrong(fmt::format("a list of more than {} is expected here", index));
  return {value_.at(index), origin_, fmt::format("{}[{}]", path_, index)};
}

std::vector<double> JsonNode::numbers() const {
  std::vector<double> found(size());
  for (std::size_t i = 0; i < found.size(); ++i)  // a path for the wrong one only: there may be millions
    found[i] = value_[i].is_number() ? value_[i].get<double>() : at(i).number();
  return found;
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> found(size());
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = at(i).text();
  return found;
}

double JsonNode::number() const {
  if (!value_.is_number()) throw wrong("a number is expected here");
  return value_.get<double>();
}

std::int64_t JsonNode::integer(std::int64_t least, std::int64_t most) const {
  if (!value_.is_number_integer()) throw wrong(fmt::format("{} is no whole number", json_dump(value_)));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  const bool holds = !value_.is_number_unsigned() || value_.get<std::uint64_t>() <= kMost;
  const auto number = holds ? value_.get<std::int64_t>() : 0;
  if (!holds || number < least || number > most)
    throw wrong(fmt::format("{} is not in {}..{}", json_dump(value_), least, most));
  return number;
}

std::uint64_t JsonNode::unsigned_integer() const {
  if (!value_.is_number_unsigned()) throw wrong("a whole number of at least 0 is expected here");
  return value_.get<std::uint64_t>();
}

bool JsonNode::truth() const {
  if (!value_.is_boolean()) throw wrong("true or false is expected here");
  return value_.get<bool>();
}

const std::string& JsonNode::text() const {
  if (!value_.is_string()) throw wrong("a text is expected here");
  return value_.get_ref<const std::string&>();
}

}  // namespace helio
