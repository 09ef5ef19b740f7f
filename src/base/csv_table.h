// SPDX-License-Identifier: Apache-2.0
// A table as text: a line of names, then a line of cells for each row, commas between them. Cells are not quoted; blanks around them do not
// count, nor do empty lines, a byte order mark and lines that start with '#'.
//
// Invariant: every row has a cell for every name, names that are not empty are unique, and the last line ended: a file that was cut off
// within a number is not read as another number.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct CsvTable {
  struct Cell {
    std::string_view text;  // into what was read
    std::size_t column = 1;
  };
  struct Row {
    std::size_t line = 1;
    std::vector<Cell> cells;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::string source;
  Row names;
  std::vector<Row> rows;  // at least one

  std::size_t index(std::string_view name) const;  // among the cells of a row; kNone: no column has that name
  std::string place(const Row& row, std::size_t index) const;
};

// What a file has that others have not.
struct CsvForm {
  std::string_view names = {};  // of a file that has no line of names, with commas between them
  std::string_view hash = {};   // a line whose first cell is this is no comment ("# GPUs")
};

// Throws Error(kInput) at "source:line:column". Requires: `text` and the form's names outlive the table.
CsvTable parse_csv(std::string_view text, const std::string& source, const CsvForm& form = {});

}  // namespace helio
