// SPDX-License-Identifier: Apache-2.0
#include "complaint.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <string_view>

namespace helio::apps {

int complain(const std::string& program, int code, std::string what, const std::string& where, std::string advice) {
  if (!where.empty()) what += fmt::format(" ({})", where);
  if (!advice.empty()) {
    advice.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(advice.front())));
    if (std::string_view(".?!").find(advice.back()) == std::string_view::npos) advice += '.';
    what += ". " + advice;
  }
  for (char& c : what)
    if (std::iscntrl(static_cast<unsigned char>(c))) c = ' ';
  std::fprintf(stderr, "%s: %s\n", program.c_str(), what.c_str());
  return code;
}

}  // namespace helio::apps
