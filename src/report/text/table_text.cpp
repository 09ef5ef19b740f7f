// SPDX-License-Identifier: Apache-2.0
#include "report/text/table_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace helio::report {
namespace {

constexpr std::size_t kLeastColumns = 24;  // of a last column beside the others
constexpr std::size_t kBelow = 6;          // indent of a last column below the others

}  // namespace

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

std::string table_of(const std::vector<std::vector<std::string>>& rows, const std::vector<std::size_t>& numbers,
                     const Look& look) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::size_t indent = 0;  // of the last column: two blanks and the width of each before it, and its own two
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) indent += widths[c] + 2;
  indent += 2;
  const bool below =
      look.columns > 0 && look.columns < indent + kLeastColumns;  // of the others, where it has no room beside them
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool number = std::ranges::count(numbers, c) > 0;
      if (number)
        line += fmt::format(" {:>{}}", row[c], widths[c]);
      else if (c + 1 == row.size() && below)
        line += "\n" + std::string(kBelow, ' ') + wrapped(look, row[c], kBelow);
      else if (c + 1 == row.size())
        line += " " + wrapped(look, row[c], indent);
      else
        line += fmt::format(" {:<{}}", row[c], widths[c]);
      if (c + 1 < row.size()) line += " ";
    }
    text += (&row == &rows[0] ? paint(look, Ink::kTitle, line) : line) + "\n";
  }
  return text;
}

std::string table_of(const std::vector<Parameter>& parameters, std::string_view prefix, const Look& look) {
  if (parameters.empty()) return "  no parameters\n";
  std::vector<std::vector<std::string>> rows = {{"parameter", "type", "default", "bounds", "meaning"}};
  for (const Parameter& parameter : parameters)
    rows.push_back({std::string(prefix) + parameter.name, std::string(name_of(parameter.type)), default_of(parameter),
                    bounds_of(parameter), parameter.description});
  return table_of(rows, {}, look);
}

}  // namespace helio::report
