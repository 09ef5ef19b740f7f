// SPDX-License-Identifier: Apache-2.0
// Tables as text: every row has a cell for every name, names are unique, and a table without its last byte is none.
#include <set>

#include "base/csv_table.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  const std::string_view text = fuzz::as_text(data, size);
  fuzz::reads([&] {
    const CsvTable table = parse_csv(text, "fuzz.csv");
    if (table.rows.empty()) fuzz::finding("a table without rows");
    for (const CsvTable::Row& row : table.rows)
      if (row.cells.size() != table.names.cells.size()) fuzz::finding("a row of another length");
    std::set<std::string_view> names;
    for (const CsvTable::Cell& name : table.names.cells)
      if (!name.text.empty() && !names.insert(name.text).second) fuzz::finding("a column that is there twice");
    if (fuzz::reads([&] { parse_csv(text.substr(0, size - 1), "cut.csv"); }) && text[size - 2] != '\n')
      fuzz::finding("a cut line was read");
  });
  return 0;
}
