// SPDX-License-Identifier: Apache-2.0
// What a number on the command line must be, checked on its text: neither a minus sign nor a fraction is lost on the way to a type that
// has none. For CLI11's check(): "" where it is good, else what is wrong.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

namespace helio::apps {

using Bound = std::function<std::string(const std::string&)>;

// A whole number from `least` to `most`.
inline Bound whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX) {
  return [=](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size() && value >= least && value <= most) return "";
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
  };
}

// A number above 0 that ends.
inline Bound above_zero() {
  return [](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value > 0) return "";
    return fmt::format("'{}' is no number above 0", text);
  };
}

}  // namespace helio::apps
