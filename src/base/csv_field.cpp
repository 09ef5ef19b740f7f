// SPDX-License-Identifier: Apache-2.0
#include "base/csv_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/visible.h"

namespace helio {
namespace {

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// Also in the wide forms that a Japanese keyboard has.
bool is_computed(std::string_view text) {
  constexpr std::array<std::string_view, 8> kBegins = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return text.starts_with(begin); }) &&
         !is_number(text);
}

}  // namespace

std::string csv_field(std::string_view text) {
  const std::string field = (is_computed(text) ? "'" : "") + visible(text);
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_field(double value) { return fmt::format("{}", value); }

std::string csv_line(const std::vector<std::string>& fields) { return fmt::format("{}\n", fmt::join(fields, ",")); }

}  // namespace helio
