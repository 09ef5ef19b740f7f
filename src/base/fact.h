// SPDX-License-Identifier: Apache-2.0
// Something that one algorithm or fabric has to say about what it did and others have no word for: "levels" of a tree,
// "loss_db" of a lightpath. Results carry facts under their own names, which end in their unit.
//
// A job has many collectives, and each has its facts. What stands for all of them is the fact that limits, so each fact knows which
// end of its scale that is:
//
//     channels   32, 64, 32    largest   ─▶ 64              margin_db   3, 1.2     smallest ─▶ 1.2
//     isolation  physical, masked        ─▶ "physical; masked": texts that differ are listed
//
// What a fact is called and means is a FactKind, a constant beside who tells it; catalogues list the kinds that an entry may tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace helio {

struct FactKind {
  enum class Limit : std::uint8_t { kLargest, kSmallest };  // of truths, no is the smaller one

  std::string_view name;          // snake_case, ends in its unit: "longest_path_hops"
  std::string_view unit = {};     // "" for names, counts, words and truths; "1" for a ratio
  std::string_view meaning = {};  // a line; who else has a word for it adds that under the same name
  Limit limit = Limit::kLargest;  // which stands for several of one name
};

struct Fact : FactKind {
  std::variant<bool, double, std::string> value;
  friend bool operator==(const Fact& a, const Fact& b) { return a.name == b.name && a.value == b.value; }
};

using Facts = std::vector<Fact>;

// Lets `all` stand for `more`, too. Requires: facts of one name are of one type.
void combine(Facts& all, const Facts& more);

}  // namespace helio
