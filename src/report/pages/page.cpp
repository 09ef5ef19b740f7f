// SPDX-License-Identifier: Apache-2.0
#include "report/pages/page.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

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

void make_names_unique(Page& page) {
  // What every page has, and what stands for a figure where no script runs (page_html.cpp).
  std::set<std::string> taken = {"asked", "command", "configuration", "main", "page-data", "theme", "tip"};
  const auto take = [&](std::string& name, const std::string& beside = "") {
    const std::string base = name;
    for (int i = 2; taken.contains(name) || taken.contains(name + beside); ++i) name = fmt::format("{}-{}", base, i);
    taken.insert({name, name + beside});
  };
  for (Section& section : page.sections) {
    take(section.name);
    for (Figure& figure : section.figures) take(figure.name, "-values");
    for (Table& table : section.tables) take(table.name);
  }
}

}  // namespace helio::report
