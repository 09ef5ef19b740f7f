// SPDX-License-Identifier: Apache-2.0
#include "report/text/csv.h"

#include <fmt/format.h>

namespace helio::report {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
  return safe + '"';
}

std::string csv_field(double value) { return fmt::format("{}", value); }

std::string csv_line(const std::vector<std::string>& fields) { return fmt::format("{}\n", fmt::join(fields, ",")); }

}  // namespace helio::report
