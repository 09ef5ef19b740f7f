// SPDX-License-Identifier: Apache-2.0
#include "base/fact.h"

#include <algorithm>
#include <cassert>
#include <string_view>

namespace helio {
namespace {

constexpr std::string_view kBetween = "; ";

// Whether one of the texts listed in `list` is `text`.
bool lists(std::string_view list, std::string_view text) {
  for (std::size_t at = list.find(text); at != std::string_view::npos; at = list.find(text, at + 1)) {
    const std::size_t end = at + text.size();
    const bool begins = at == 0 || list.substr(0, at).ends_with(kBetween);
    if (begins && (end == list.size() || list.substr(end).starts_with(kBetween))) return true;
  }
  return false;
}

}  // namespace

void combine(Facts& all, const Facts& more) {
  for (const Fact& fact : more) {
    const auto known = std::ranges::find(all, fact.name, &Fact::name);
    if (known == all.end()) {
      all.push_back(fact);
      continue;
    }
    assert(known->value.index() == fact.value.index() && "facts of one name are of one type");
    if (const auto* text = std::get_if<std::string>(&fact.value)) {
      auto& list = std::get<std::string>(known->value);
      if (!lists(list, *text)) list.append(kBetween).append(*text);
    } else if (known->limit == Fact::Limit::kLargest) {
      known->value = std::max(known->value, fact.value);
    } else {
      known->value = std::min(known->value, fact.value);
    }
  }
}

}  // namespace helio
