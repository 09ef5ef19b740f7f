// SPDX-License-Identifier: Apache-2.0
// Pieces of a page that every section uses. Text from outside is escaped in here and nowhere else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace helio::report {

std::string escaped(std::string_view text);
std::string cell(std::string_view text);
std::string number_cell(std::string_view text, std::string_view mark = "");

// A column's head; numbers stand to the right.
struct Head {
  std::string_view name;
  bool number = false;
};
// "<div><table>" and its first row.
std::string table_head(const std::vector<Head>& heads);
inline constexpr std::string_view kTableEnd = "</table></div>\n";

}  // namespace helio::report
