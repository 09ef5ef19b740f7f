// SPDX-License-Identifier: Apache-2.0
#include "base/split.h"

#include <algorithm>

namespace helio {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string without_blanks(std::string_view text) {
  std::string rest(text);
  std::erase(rest, ' ');
  return rest;
}

}  // namespace helio
