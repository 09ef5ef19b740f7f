// SPDX-License-Identifier: Apache-2.0
#include "report/html_parts.h"

#include <fmt/format.h>

namespace helio::report {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string cell(std::string_view text) { return fmt::format("<td>{}</td>", escaped(text)); }

std::string number_cell(std::string_view text, std::string_view mark) {
  return fmt::format("<td class=\"number {}\">{}</td>", mark, escaped(text));
}

std::string table_head(const std::vector<Head>& heads) {
  std::string html = "<div><table>\n<tr>";
  for (const Head& head : heads)
    html += fmt::format("<th{}>{}</th>", head.number ? " class=\"number\"" : "", escaped(head.name));
  return html + "</tr>\n";
}

}  // namespace helio::report
