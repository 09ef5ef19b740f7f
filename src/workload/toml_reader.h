// SPDX-License-Identifier: Apache-2.0
// One table of a TOML file, read key by key. Invariant: after construction every key of the table is one that its reader
// knows; what a value must be is checked when it is read. Mistakes throw Error(kInput) at file:line:column.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace helio::workload {

class TomlReader {
 public:
  // `what` ("model", "layer") appears in messages. Throws for a key that `legal` does not have.
  TomlReader(const toml::table& table, std::string source, std::string what, std::vector<std::string> legal);

  // Of the key, or of the table where the key is missing.
  std::string place(std::string_view key = {}) const;
  bool has(std::string_view key) const { return table_.contains(key); }

  // None where the key is missing. Whole numbers and numbers must lie within the bounds.
  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t least, std::uint64_t most) const;
  std::optional<double> number(std::string_view key, double most) const;  // from 0
  std::optional<double> bytes(std::string_view key, double most) const;   // a number, or a text such as "3.2 MB"
  std::optional<bool> truth(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;  // not empty
  // One of the texts; its index.
  std::optional<std::size_t> choice(std::string_view key, const std::vector<std::string>& choices) const;
  const toml::table* table(std::string_view key) const;

  template <class Value>
  Value required(std::string_view key, std::optional<Value> value) const {
    if (value) return *std::move(value);
    throw missing(key);
  }
  Error missing(std::string_view key) const;
  Error wrong(std::string_view key, std::string what, std::string advice) const;

 private:
  const toml::node* find(std::string_view key) const;

  const toml::table& table_;
  std::string source_, what_;
  std::vector<std::string> legal_;
};

}  // namespace helio::workload
