// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/chosen_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"
#include "base/visible.h"

namespace helio::pipeline {
namespace {

enum class Relation { kEqual, kOther, kAtLeast, kAtMost };

struct Condition {
  std::size_t column = 0;
  Relation relation = Relation::kEqual;
  std::string value;
};

std::optional<double> number_in(std::string_view text) {
  try {
    return parse_number(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

Condition condition_of(const CsvTable& table, const Setting& written) {
  const std::size_t at = written.text.find_first_of("=<>!");
  const std::string_view text = written.text, sign = at == std::string::npos ? "" : text.substr(at);
  std::size_t length = 2;
  Condition condition;
  if (sign.starts_with("!="))
    condition.relation = Relation::kOther;
  else if (sign.starts_with(">="))
    condition.relation = Relation::kAtLeast;
  else if (sign.starts_with("<="))
    condition.relation = Relation::kAtMost;
  else
    length = 1;
  if (length == 1 && !sign.starts_with("="))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no condition on a column", shown(written.text)), written.place,
                "Write column=value, column!=value, column>=number or column<=number.");
  const std::string_view name = text.substr(0, at);
  condition.column = table.index(name);
  condition.value = sign.substr(length);
  if (name.empty() || condition.column == CsvTable::kNone) {
    std::vector<std::string> names;
    for (const CsvTable::Cell& cell : table.names.cells) names.emplace_back(cell.text);
    throw unknown_name("column", name, names, written.place);
  }
  const bool ordered = condition.relation == Relation::kAtLeast || condition.relation == Relation::kAtMost;
  if (ordered && !number_in(condition.value))
    throw Error(ErrorKind::kInput, fmt::format("'{}' is no number", shown(condition.value)), written.place,
                "Only numbers are more or less than others.");
  return condition;
}

bool same(std::string_view cell, std::string_view value) {
  const auto a = number_in(cell), b = number_in(value);
  if (a && b) return *a == *b;
  return std::ranges::equal(cell, value,
                            [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

bool holds(const Condition& condition, std::string_view cell) {
  if (condition.relation == Relation::kEqual) return same(cell, condition.value);
  if (condition.relation == Relation::kOther) return !same(cell, condition.value);
  const auto number = number_in(cell), bound = number_in(condition.value);
  if (!number) return false;
  return condition.relation == Relation::kAtLeast ? *number >= *bound : *number <= *bound;
}

}  // namespace

std::vector<const CsvTable::Row*> chosen_rows(const CsvTable& table, const std::vector<Setting>& conditions) {
  std::vector<Condition> all;
  for (const Setting& written : conditions) all.push_back(condition_of(table, written));
  const auto meant = [&](const CsvTable::Row& row) {
    return std::ranges::all_of(all, [&](const Condition& one) {
      if (holds(one, row.cells[one.column].text)) return true;
      return one.relation == Relation::kEqual && std::ranges::any_of(all, [&](const Condition& other) {
               return other.relation == Relation::kEqual && other.column == one.column &&
                      holds(other, row.cells[one.column].text);
             });
    });
  };
  std::vector<const CsvTable::Row*> rows;
  for (const CsvTable::Row& row : table.rows)
    if (meant(row)) rows.push_back(&row);
  return rows;
}

}  // namespace helio::pipeline
