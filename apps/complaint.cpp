// SPDX-License-Identifier: Apache-2.0
#include "complaint.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>

#include "option_words.h"

namespace helio::apps {

std::string escaped(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte == 0xc2 && next >= 0x80 && next <= 0x9f) {  // in UTF-8: U+0080 to U+009F
      shown += fmt::format("\\u00{:02x}", next);
      ++i;
    } else if (byte == 0x7f) {
      shown += "\\u007f";
    } else if (byte < 0x20 && byte != '\n' && byte != '\t') {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

int complain(const std::string& program, int code, std::string what, const std::string& where, const Advice& advised) {
  std::string advice = in_options(advised);
  if (!where.empty()) what += fmt::format(" ({})", where);
  if (!advice.empty()) {
    advice.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(advice.front())));
    if (std::string_view(".?!").find(advice.back()) == std::string_view::npos) advice += '.';
    what += ". " + advice;
  }
  for (char& c : what)
    if (std::isspace(static_cast<unsigned char>(c))) c = ' ';
  std::fprintf(stderr, "%s: %s\n", program.c_str(), escaped(what).c_str());
  return code;
}

}  // namespace helio::apps
