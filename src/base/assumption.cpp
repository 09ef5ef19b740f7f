// SPDX-License-Identifier: Apache-2.0
#include "base/assumption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace helio {

std::string_view name_of(Grade grade) {
  constexpr std::string_view kNames[] = {"ours", "recalled", "fitted", "calibrated", "literal", "note"};
  return kNames[static_cast<int>(grade)];
}

std::string Assumption::words() const {
  std::string words = fmt::format("{}: {}", name_of(grade), text);
  if (!source.empty()) words += fmt::format(" ({})", source);
  if (!uses.empty()) words += fmt::format(" (uses {})", fmt::join(uses, ", "));
  return words;
}

bool Assumption::is_using(double number) const { return std::ranges::find(uses, number) != uses.end(); }

Assumptions operator+(Assumptions one, const Assumptions& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

std::string label_of(std::span<const Assumption> assumptions) {
  Grade weakest = Grade::kNote;
  for (const Assumption& assumption : assumptions) weakest = std::min(weakest, assumption.grade);
  return std::string(name_of(weakest == Grade::kNote ? Grade::kOurs : weakest));
}

std::vector<std::string> in_words(std::span<const Assumption> assumptions) {
  std::vector<std::string> all;
  std::ranges::transform(assumptions, std::back_inserter(all), &Assumption::words);
  return all;
}

}  // namespace helio
