// SPDX-License-Identifier: Apache-2.0
// The keys of a config.json, read one by one; what nobody has read in the end is what we do not model.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_reader.h"

namespace helio::workload {

class ConfigReader {
 public:
  // `source` stands in messages.
  ConfigReader(const Json& root, const std::string& source) : root_(root), source_(source) {}

  const Json* find(std::string_view key) const;  // nullptr where it is not

  // Nothing where the key is not there, or null. Throw Error(kInput) for a value of another kind.
  std::optional<std::uint64_t> size(const char* key) const;  // positive
  std::optional<bool> truth(const char* key) const;
  std::optional<double> probability(const char* key) const;
  std::optional<std::string> text(const char* key) const;

  // Keys with a value that were not asked for, "key = value", without those that say nothing about a step of training.
  std::vector<std::string> unread() const;

  Error missing(std::string_view key) const;
  Error wrong(std::string_view key, std::string_view what, std::string advice) const;

 private:
  const Json& root_;
  const std::string& source_;
  mutable std::set<std::string, std::less<>> read_;
};

}  // namespace helio::workload
