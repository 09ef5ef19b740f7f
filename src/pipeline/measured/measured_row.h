// SPDX-License-Identifier: Apache-2.0
// One line of a file of measurements, asked by column. Columns that nobody asks for may hold what they like.
//
// What is wrong in a file (no number, nothing measured) is Error(kInput) at its cell and ends the run; what the file does not say, or
// says of things that we do not know, is Error(kInfeasible) and refuses the row, by name.
#pragma once

#include <string>
#include <string_view>

#include "base/csv_table.h"
#include "base/error.h"

namespace helio::pipeline {

class MeasuredRow {
 public:
  MeasuredRow(const CsvTable& table, const CsvTable::Row& row) : table_(table), row_(row) {}

  const std::string& source() const { return table_.source; }
  std::size_t line() const { return row_.line; }
  std::string place() const { return table_.place(row_, 0); }
  std::string place(std::string_view column) const;

  // As it stands there; "" where the cell is empty or no column has that name.
  std::string_view text(std::string_view column) const;
  bool has(std::string_view column) const { return !text(column).empty(); }

  std::string words(std::string_view column) const;  // not empty
  double number(std::string_view column) const;
  std::string whole(std::string_view column) const;                 // from 1 on
  double measured(std::string_view column, double unit = 1) const;  // above 0

  // A row that cannot be predicted, and why.
  Error refused(std::string reason, std::string advice = {}) const;

 private:
  Error wrong(std::string_view column, std::string what, std::string advice) const;

  const CsvTable& table_;
  const CsvTable::Row& row_;
};

}  // namespace helio::pipeline
