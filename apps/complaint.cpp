// SPDX-License-Identifier: Apache-2.0
#include "complaint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/visible.h"
#include "option_words.h"

namespace helio::apps {
namespace {

constexpr std::size_t kMostOfAPart = 2000;  // characters of what, of where and of advice

bool alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// With names and values, which stand between apostrophes, cut to their ends; and then itself, for a name may hold apostrophes, too.
std::string brief(std::string_view text) {
  std::string result;
  const auto take = [&](std::size_t bytes) {
    result += text.substr(0, bytes);
    text.remove_prefix(std::min(bytes, text.size()));
  };
  while (!text.empty()) {
    const std::size_t open = text.find('\'');
    take(open == std::string_view::npos ? open : open + 1);
    if (result.size() > 1 && alphanumeric(result[result.size() - 2])) continue;  // "the servers' codes"
    std::size_t close = 0;
    while (close < text.size() && (text[close] != '\'' || (close + 1 < text.size() && alphanumeric(text[close + 1]))))
      ++close;
    if (close >= text.size()) break;
    result += shortened(text.substr(0, close), kMostOfAName);
    text.remove_prefix(close);
    take(1);
  }
  take(text.size());
  return shortened(result, kMostOfAPart);
}

}  // namespace

std::string complaint(std::string what, const std::string& where, const Advice& advised) {
  std::string advice = brief(in_options(advised));
  what = brief(what);
  if (!where.empty()) what += fmt::format(" ({})", shortened(where, 2 * kMostOfAName));
  if (!advice.empty()) {
    advice.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(advice.front())));
    if (std::string_view(".?!").find(advice.back()) == std::string_view::npos) advice += '.';
    what += ". " + advice;
  }
  for (char& c : what)
    if (std::isspace(static_cast<unsigned char>(c))) c = ' ';
  return visible(what);
}

int complain(const std::string& program, int code, std::string what, const std::string& where, const Advice& advice) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), complaint(std::move(what), where, advice).c_str());
  return code;
}

}  // namespace helio::apps
