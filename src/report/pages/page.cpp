// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include <cctype>

namespace helio::report {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

std::string name_from(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (is_name(std::string_view(&lower, 1)) && lower != '-')
      name += lower;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  constexpr std::size_t kLongest = 60;  // names become those of files
  if (name.size() > kLongest) name.resize(kLongest);
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "unnamed" : name;
}

}  // namespace helio::report
