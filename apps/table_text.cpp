// SPDX-License-Identifier: Apache-2.0
#include "table_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace helio::apps {
namespace {

std::string bounds_of(const Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  std::string bounds;
  if (!parameter.minimum.empty())
    bounds = fmt::format("{} {}", parameter.minimum_exclusive ? ">" : ">=", parameter.minimum);
  if (!parameter.maximum.empty()) bounds += fmt::format("{}<= {}", bounds.empty() ? "" : ", ", parameter.maximum);
  return bounds.empty() ? "-" : bounds;
}

std::string default_of(const Parameter& parameter) {
  if (!parameter.fallback.empty()) return parameter.fallback;
  return parameter.optional ? "unset" : "required";
}

}  // namespace

std::string table_of(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& numbers) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    text += " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool number = std::ranges::count(numbers, c) > 0;
      if (number)
        text += fmt::format(" {:>{}}", row[c], widths[c]);
      else if (c + 1 == row.size())
        text += " " + row[c];
      else
        text += fmt::format(" {:<{}}", row[c], widths[c]);
      if (c + 1 < row.size()) text += " ";
    }
    text += "\n";
  }
  return text;
}

std::string table_of(const std::vector<Parameter>& parameters, std::string_view prefix) {
  if (parameters.empty()) return "  no parameters\n";
  std::vector<std::vector<std::string>> rows = {{"parameter", "type", "default", "bounds", "meaning"}};
  for (const Parameter& parameter : parameters)
    rows.push_back({std::string(prefix) + parameter.name, std::string(name_of(parameter.type)), default_of(parameter),
                    bounds_of(parameter), parameter.description});
  return table_of(rows);
}

}  // namespace helio::apps
