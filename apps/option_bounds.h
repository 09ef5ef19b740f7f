// SPDX-License-Identifier: Apache-2.0
// What a number on the command line must be, checked on its text, because the parser alone cuts a number to what its type holds, takes 010
// as 8 and loses fractions. Every option that takes whole numbers is added here.
//
//     add_integer(app, "--ports", ports, "P: ports on each side", {.least = 2});
//     helio: --ports: '1e9' is no whole number from 2 to 16384.
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace helio::apps {

// What is not said follows from the type; the room that reads the number may judge it further.
struct Range {
  std::optional<std::int64_t> least = {};
  std::optional<std::uint64_t> most = {};
};

// The number in `text`, written anew in it without leading zeros; "" where it is one, else what is wrong. `lowest`: that its type
// holds. Requires: range.most.
inline std::string read_integer(std::string& text, const Range& range, std::int64_t lowest) {
  const auto within = [&](auto value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    if (!whole || std::cmp_less(value, range.least.value_or(lowest)) || std::cmp_greater(value, *range.most))
      return false;
    text = fmt::format("{}", value);
    return true;
  };
  if (text.starts_with('-') ? within(std::int64_t{}) : within(std::uint64_t{})) return "";
  const std::string from = range.least ? fmt::format("from {} to", *range.least) : "up to";
  return fmt::format("'{}' is no whole number {} {}", text, from, *range.most);
}

template <class Value>
struct IntegerOf : std::type_identity<Value> {};
template <class Value>
struct IntegerOf<std::optional<Value>> : std::type_identity<Value> {};
template <class Value>
struct IntegerOf<std::vector<Value>> : std::type_identity<Value> {};

// An option that is a whole number, may be one, or is a list of them with commas between.
template <class Value>
CLI::Option* add_integer(CLI::App& app, const std::string& name, Value& value, const std::string& words,
                         Range range = {}) {
  using Integer = typename IntegerOf<Value>::type;
  static_assert(std::is_integral_v<Integer>);
  using Limits = std::numeric_limits<Integer>;
  CLI::Option* option = app.add_option(name, value, words);
  const auto lowest = static_cast<std::int64_t>(Limits::min());
  if (std::is_unsigned_v<Integer> && !range.least) range.least = 0;
  range.most = std::min(range.most.value_or(UINT64_MAX), static_cast<std::uint64_t>(Limits::max()));
  option->transform(CLI::Validator([=](std::string& text) { return read_integer(text, range, lowest); }, ""));
  if constexpr (requires { value.push_back(Integer{}); }) option->delimiter(',')->allow_extra_args(false);
  return option;
}

// A number above 0 that ends; for CLI11's check().
inline std::string above_zero(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value > 0) return "";
  return fmt::format("'{}' is no number above 0", text);
}

}  // namespace helio::apps
