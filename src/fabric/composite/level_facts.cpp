// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/level_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

namespace helio::fabric {
namespace {

std::string in_words(const Fact& fact) {
  if (const auto* truth = std::get_if<bool>(&fact.value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&fact.value)) return fmt::format("{:.6g}", *number);
  return std::get<std::string>(fact.value);
}

}  // namespace

Facts facts_of(const std::vector<Level>& levels, const std::vector<Facts>& by_level) {
  Facts all;
  std::vector<std::string> differing;
  for (std::size_t k = by_level.size(); k-- > 0;)
    for (const Fact& fact : by_level[k]) {
      if (std::ranges::count(all, fact.name, &Fact::name) > 0) continue;
      all.push_back(fact);
      std::vector<std::string> words;
      bool alike = true;
      for (std::size_t j = 0; j <= k; ++j)
        for (const Fact& other : by_level[j])
          if (other.name == fact.name) {
            words.push_back(fmt::format("{} of {}", in_words(other), levels[j].name));
            alike = alike && other == fact;
          }
      if (!alike) differing.push_back(fmt::format("{}: {}", fact.name, fmt::join(words, ", ")));
    }
  if (!differing.empty()) all.push_back({kLevelFactsFact, fmt::format("{}", fmt::join(differing, "; "))});
  return all;
}

}  // namespace helio::fabric
