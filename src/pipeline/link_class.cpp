// SPDX-License-Identifier: Apache-2.0
#include "pipeline/link_class.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace helio::pipeline {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string_view> parted(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  for (std::size_t end; (end = text.find(by)) != std::string_view::npos; text.remove_prefix(end + by.size()))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

// "3", "3-4"
bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '-'; });
}

// "tor12" is any "tor*".
std::string without_digits(std::string_view word) {
  std::string pattern;
  for (const char c : word)
    if (!is_digit(c))
      pattern += c;
    else if (pattern.empty() || pattern.back() != '*')
      pattern += '*';
  return pattern;
}

// A number after the noun that it belongs to says which one, and goes; at an end of a link it is a node.
std::string without_numbers(std::string_view part) {
  const std::vector<std::string_view> words = parted(part, " ");
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view before = i > 0 ? words[i - 1] : "", after = i + 1 < words.size() ? words[i + 1] : "";
    const bool begins = (before == "link" || before == "segment") && after == "to";
    const bool node = is_number(words[i]) && (begins || before == "to");
    if (is_number(words[i]) && !node) continue;
    if (!text.empty()) text += ' ';
    text += node ? "node" : without_digits(words[i]);
  }
  return text;
}

}  // namespace

std::string class_of_link(const std::string& name) {
  if (name.starts_with("I/O in of ") || name.starts_with("I/O out of "))
    return name;  // a job's, whose name may have digits
  // One of several in parallel is as good as another
  const std::size_t several = name.ends_with(')') ? name.rfind(" (") : name.npos;
  std::string text;
  for (const std::string_view part : parted(std::string_view(name).substr(0, several), ", ")) {
    const std::vector<std::string_view> words = parted(part, " ");
    if (text.empty())
      text = without_numbers(part);
    else if (words.size() != 2 || !is_number(words[1]))  // "wavelength 5" says which one, too
      text += ", " + without_numbers(part);
  }
  return text;
}

}  // namespace helio::pipeline
