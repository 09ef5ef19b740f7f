// SPDX-License-Identifier: Apache-2.0
#include "report/pages/html_parts.h"

#include "base/visible.h"

namespace helio::report {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : visible_lines(text)) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\'': safe += "&#39;"; break;
      default: safe += c;
    }
  }
  return safe;
}

std::string escaped_json(std::string_view json) {
  std::string safe;
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace helio::report
