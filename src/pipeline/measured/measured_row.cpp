// SPDX-License-Identifier: Apache-2.0
#include "pipeline/measured/measured_row.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/units.h"
#include "base/visible.h"

namespace helio::pipeline {

std::string MeasuredRow::place(std::string_view column) const {
  const std::size_t index = table_.index(column);
  return index == CsvTable::kNone ? place() : table_.place(row_, index);
}

std::string_view MeasuredRow::text(std::string_view column) const {
  const std::size_t index = table_.index(column);
  return index == CsvTable::kNone ? std::string_view{} : row_.cells[index].text;
}

std::string MeasuredRow::words(std::string_view column) const {
  if (!has(column)) throw refused(fmt::format("'{}' is not said", column));
  return std::string(text(column));
}

double MeasuredRow::number(std::string_view column) const {
  const std::string cell = words(column);
  try {
    return parse_number(cell);
  } catch (const Error&) {
    throw wrong(column, fmt::format("'{}' is no number", shown(cell)), "The column holds numbers only.");
  }
}

std::string MeasuredRow::whole(std::string_view column) const {
  const double value = number(column);
  if (!(value >= 1) || value > 1e12 || value != std::floor(value))
    throw wrong(column, fmt::format("'{}' must be a whole number from 1 on", column), "Correct the row.");
  return fmt::format("{:.0f}", value);
}

double MeasuredRow::measured(std::string_view column, double unit) const {
  const double value = number(column);
  if (!(value > 0) || value > 1e12)
    throw wrong(column, fmt::format("'{}' must be above 0", column), "Correct the row.");
  return value * unit;
}

Error MeasuredRow::refused(std::string reason, std::string advice) const {
  return Error(ErrorKind::kInfeasible, std::move(reason), place(), std::move(advice));
}

Error MeasuredRow::wrong(std::string_view column, std::string what, std::string advice) const {
  return Error(ErrorKind::kInput, std::move(what), place(column), std::move(advice));
}

}  // namespace helio::pipeline
