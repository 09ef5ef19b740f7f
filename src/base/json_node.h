// SPDX-License-Identifier: Apache-2.0
// A JSON value and where it stands, for readers that say "net.json: layers[1].weights: an array is expected here".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_reader.h"

namespace helio {

// Of one text: its name in messages, and what to do about a mistake in it.
struct JsonOrigin {
  std::string source;
  Advice advice = {};
};

// Every question throws Error(kInput) at the value where its answer would be another kind of value. Requires: value and origin outlive it.
class JsonNode {
 public:
  JsonNode(const Json& value, const JsonOrigin& origin) : value_(value), origin_(origin) {}

  const Json& value() const { return value_; }
  std::string place() const { return path_.empty() ? origin_.source : origin_.source + ": " + path_; }
  Error wrong(const std::string& what) const { return Error(ErrorKind::kInput, what, place(), origin_.advice); }

  // Objects. Their keys are these and no others; a key must be there; it need not.
  void keys(std::initializer_list<std::string_view> legal) const;
  JsonNode at(std::string_view key) const;
  bool has(std::string_view key) const;
  bool is_object() const { return value_.is_object(); }

  // Arrays
  std::size_t size() const;
  JsonNode at(std::size_t index) const;
  std::vector<double> numbers() const;
  std::vector<std::string> texts() const;
  bool is_array() const { return value_.is_array(); }

  // Values
  double number() const;  // finite
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t unsigned_integer() const;
  bool truth() const;
  const std::string& text() const;
  bool is_text() const { return value_.is_string(); }
  bool is_number() const { return value_.is_number(); }

 private:
  JsonNode(const Json& value, const JsonOrigin& origin, std::string path)
      : value_(value), origin_(origin), path_(std::move(path)) {}

  const Json& value_;
  const JsonOrigin& origin_;
  std::string path_;
};

}  // namespace helio
