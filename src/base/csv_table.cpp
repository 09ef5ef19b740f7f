// SPDX-License-Identifier: Apache-2.0
#include "base/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/visible.h"

namespace helio {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::vector<CsvTable::Cell> cells_of(std::string_view line) {
  std::vector<CsvTable::Cell> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    std::string_view cell = line.substr(begin, comma - begin);
    cell.remove_prefix(std::min(cell.find_first_not_of(kBlanks), cell.size()));
    cell = cell.substr(0, cell.find_last_not_of(kBlanks) + 1);  // npos + 1 is 0
    cells.push_back({cell, begin + 1});
    begin = comma + 1;
  }
  return cells;
}

void refuse_twice(const CsvTable& table) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < table.names.cells.size(); ++i) {
    const std::string_view name = table.names.cells[i].text;
    if (name.empty()) continue;  // nobody can ask for it
    const auto [first, fresh] = seen.insert({name, i});
    if (!fresh)
      throw Error(
          ErrorKind::kInput,
          fmt::format("the column '{}' is there twice, as number {} and {}", shown(name), first->second + 1, i + 1),
          table.place(table.names, i), "Keep one of them, or give it another name.");
  }
}

}  // namespace

std::size_t CsvTable::index(std::string_view name) const {
  const auto found = std::ranges::find(names.cells, name, &Cell::text);
  return found == names.cells.end() ? kNone : static_cast<std::size_t>(found - names.cells.begin());
}

std::string CsvTable::place(const Row& row, std::size_t index) const {
  return fmt::format("{}:{}:{}", source, row.line, row.cells[index].column);
}

CsvTable parse_csv(std::string_view text, const std::string& source, const CsvForm& form) {
  CsvTable table{.source = source, .names = {}, .rows = {}};
  if (!form.names.empty()) table.names = {1, cells_of(form.names)};
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // that some editors write first
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos)
      throw Error(ErrorKind::kInput, "the file ends in the middle of a line and may be cut off",
                  fmt::format("{}:{}:{}", source, line, text.size() + 1), "End the last line with a newline.");
    CsvTable::Row row{line, cells_of(text.substr(0, end))};
    text.remove_prefix(end + 1);
    if (row.cells.size() == 1 && row.cells[0].text.empty()) continue;
    if (row.cells[0].text.starts_with('#') && row.cells[0].text != form.hash) continue;
    if (table.names.cells.empty()) {
      table.names = std::move(row);
      refuse_twice(table);
      continue;
    }
    if (row.cells.size() != table.names.cells.size())
      throw Error(ErrorKind::kInput,
                  fmt::format("{} values below {} names", row.cells.size(), table.names.cells.size()),
                  table.place(row, 0), "Give every column a value.");
    table.rows.push_back(std::move(row));
  }
  if (table.names.cells.empty())
    throw Error(ErrorKind::kInput, "the file is empty", source, "The first line names the columns.");
  if (table.rows.empty())
    throw Error(ErrorKind::kInput, "the file has no rows below its names", source, "Add measurements.");
  return table;
}

}  // namespace helio
