// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/other_words.h"

namespace helio {
namespace {

constexpr std::size_t kLongestTypo =
    200;  // letters of a name that is compared with others, in time that grows with their square

// "--bytes: 'ten' is not a number; write ...": where, what, what to do.
std::string paragraph(const std::string& message, const std::string& place, const Advice& advice) {
  std::string text = place.empty() ? message : place + ": " + message;
  if (!advice.empty()) text += "; " + advice.text();
  return text;
}

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
// (optimal string alignment, Damerau 1964): entry j of row i is the distance of the first i and j letters.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// "llama-70B" is llama 70: what a family is called, and the number that tells its members apart.
struct Member {
  std::string family;
  double number = 0;  // 0: none
};
Member member(std::string_view name) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view family = name.substr(0, name.find_first_of("0123456789"));
  double value = 0;
  for (std::size_t at = family.size(); at < name.size() && digit(name[at]) && value < 1e15; ++at)
    value = 10 * value + (name[at] - '0');
  return {plain_name(family), value};
}

constexpr std::size_t kShortestFamily = 3;

// "vgg61" for "vgg16": two letters beside each other changed places.
bool two_swapped(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin());
  return a.end() - at >= 2 && at[0] == other[1] && at[1] == other[0] && std::equal(at + 2, a.end(), other + 2);
}

// Of the same family the one with the nearest number; of what begins alike the first.
std::string nearest_relative(std::string_view name, const std::vector<std::string>& legal) {
  const Member meant = member(name);
  std::string nearest;
  double least = 0;
  for (const std::string& candidate : legal) {
    const Member other = member(candidate);
    if (meant.family.size() < kShortestFamily || other.family != meant.family || meant.number == 0 || other.number == 0)
      continue;
    const double apart = std::abs(std::log(other.number / meant.number));
    if (nearest.empty() || apart < least) nearest = candidate, least = apart;
  }
  return nearest;
}
std::string nearest_beginning(const std::string& plain, const std::vector<std::string>& legal) {
  for (const std::string& candidate : legal)
    if (plain.size() >= kShortestFamily && plain_name(candidate).starts_with(plain)) return candidate;
  return "";
}

}  // namespace

Error::Error(ErrorKind kind, std::string what, std::string place, Advice advice)
    : std::runtime_error(paragraph(what, place, advice)),
      kind_(kind),
      message_(std::move(what)),
      place_(std::move(place)),
      advice_(std::move(advice)) {}

Error Error::at(std::string place) const {
  if (!place_.empty()) return *this;
  return Error(kind_, message_, std::move(place), advice_);
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& legal) {
  std::string nearest;
  if (name.size() > kLongestTypo || name.empty()) return nearest;
  const std::string plain = plain_name(name);
  for (const std::string& candidate : legal)
    if (!plain.empty() && plain_name(candidate) == plain) return candidate;
  for (const std::string& candidate : legal)
    if (two_swapped(name, candidate)) return candidate;
  if (const std::string relative = nearest_relative(name, legal); !relative.empty()) return relative;
  for (const std::string& candidate : legal)
    if (!plain.empty() && plain_name(candidate.substr(0, candidate.find('-'))) == plain) return candidate;
  // A name of which no letter survives was not meant, however short it is.
  std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
  if (name.size() <= limit) limit = name.empty() ? 0 : name.size() - 1;
  for (const std::string& candidate : legal) {
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter > limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > limit || (!nearest.empty() && distance == limit)) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest.empty() ? nearest_beginning(plain, legal) : nearest;
}

Error unknown_name(std::string_view what, std::string_view name, const std::vector<std::string>& legal,
                   std::string place) {
  std::string advice = legal.empty() ? "there are none" : fmt::format("known are: {}", fmt::join(legal, ", "));
  std::string nearest = name_for(name, legal);
  if (nearest.empty()) nearest = nearest_name(name, legal);
  if (!nearest.empty()) advice = fmt::format("did you mean '{}'? Known are: {}", nearest, fmt::join(legal, ", "));
  return Error(ErrorKind::kInput, fmt::format("unknown {} '{}'", what, name), std::move(place), std::move(advice));
}

}  // namespace helio
