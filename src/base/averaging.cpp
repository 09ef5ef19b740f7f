// SPDX-License-Identifier: Apache-2.0
#include "base/averaging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"

namespace helio {
namespace {

constexpr std::array<std::pair<Rounding, std::string_view>, 4> kRoundings{{{Rounding::kFloor, "floor"},
                                                                           {Rounding::kHalfUp, "half-up"},
                                                                           {Rounding::kHalfEven, "half-even"},
                                                                           {Rounding::kDither, "dither"}}};
// So that 2·T·numerator + denominator and every double that holds a total are exact.
constexpr int kMostBits = 50;

Error wrong(std::string what, std::string advice = {}) {
  return Error(ErrorKind::kInput, std::move(what), {}, std::move(advice));
}

void check_symbols(int bits, int symbol_bits) {
  if (bits < 1) throw wrong(fmt::format("a code of {} bits", bits), "bits is at least 1");
  if (symbol_bits < 1) throw wrong(fmt::format("a symbol of {} bits", symbol_bits), "symbol bits is at least 1");
  if (bits > 32) throw wrong(fmt::format("a code of {} bits", bits), "bits is at most 32");
  if (symbol_bits > bits || bits % symbol_bits != 0)
    throw wrong(fmt::format("{} bits are not a whole number of symbols of {} bits", bits, symbol_bits),
                "symbol bits must divide bits");
}

}  // namespace

std::string_view name_of(Rounding rounding) {
  for (const auto& [value, name] : kRoundings)
    if (value == rounding) return name;
  return "?";
}

Rounding rounding_named(std::string_view name, std::string_view place) {
  std::vector<std::string> legal;
  for (const auto& [value, known] : kRoundings) {
    if (known == name) return value;
    legal.emplace_back(known);
  }
  throw unknown_name("rounding", name, legal, std::string(place));
}

void AveragingTask::check() const {
  if (servers < 1) throw wrong(fmt::format("an average over {} servers", servers), "servers is at least 1");
  if (servers > 65536) throw wrong(fmt::format("an average over {} servers", servers), "servers is at most 65536");
  check_symbols(bits, symbol_bits);
  if (in_fraction < 0 || out_fraction < 0)
    throw wrong(fmt::format("{} fraction symbols in and {} out", in_fraction, out_fraction), "neither is below 0");
  if (merge < 1) throw wrong(fmt::format("{} symbols merged into one", merge), "merge is at least 1");
  if (in_fraction > 32 || out_fraction > 32 || symbol_bits * (symbols() + in_fraction + out_fraction) + 17 > kMostBits)
    throw wrong(fmt::format("{} bits with {} and {} fraction symbols", bits, in_fraction, out_fraction),
                "totals of more than 50 bits are not supported");
  if ((symbols() + in_fraction) % merge != 0)
    throw wrong(fmt::format("{} symbols cannot be merged by {}", symbols() + in_fraction, merge),
                "merge must divide the symbols that arrive");
}

std::int64_t AveragingTask::numerator() const {
  const std::int64_t above = std::int64_t{1} << (symbol_bits * std::max(out_fraction - in_fraction, 0));
  return above / std::gcd(above, std::int64_t{servers});
}

std::int64_t AveragingTask::denominator() const {
  const std::int64_t above = std::int64_t{1} << (symbol_bits * std::max(out_fraction - in_fraction, 0));
  const std::int64_t below = std::int64_t{servers} << (symbol_bits * std::max(in_fraction - out_fraction, 0));
  return below / std::gcd(above, below);
}

std::int64_t AveragingTask::total(std::span<const int> sums) const {
  std::int64_t total = 0;
  for (int k = inputs() - 1; k >= 0; --k) total = total * input_radix() + sums[static_cast<std::size_t>(k)];
  return total;
}

std::int64_t AveragingTask::average(std::int64_t total, std::int64_t dither) const {
  const std::int64_t above = total * numerator(), below = denominator();
  std::int64_t rounded = 0;
  switch (rounding) {
    case Rounding::kFloor: rounded = above / below; break;
    case Rounding::kHalfUp: rounded = (2 * above + below) / (2 * below); break;
    case Rounding::kHalfEven:
      rounded = (2 * above + below) / (2 * below);
      if ((2 * above + below) % (2 * below) == 0) rounded -= rounded % 2;  // a tie, rounded up to odd: down instead
      break;
    case Rounding::kDither: rounded = (above + dither) / below; break;
  }
  return std::min(rounded, largest());
}

std::int64_t AveragingTask::target(std::span<const int> point) const {
  assert(point.size() == static_cast<std::size_t>(lights()) && "a point has one number per light");
  return average(total(point), rounding == Rounding::kDither ? point.back() : 0);
}

AveragingCascade cascade_of(AveragingTask each, std::span<const std::uint32_t> ports, int fraction) {
  AveragingCascade cascade;
  for (const std::uint32_t servers : ports) {
    each.servers = static_cast<int>(servers);
    each.in_fraction = static_cast<int>(cascade.size()) * fraction;
    each.out_fraction = cascade.size() + 1 < ports.size() ? each.in_fraction + fraction : 0;
    cascade.push_back(each);
  }
  return cascade;
}

AveragingCascade lower_levels(AveragingCascade cascade, std::size_t levels) {
  assert(levels >= 1 && levels <= cascade.size() && "some of the cascade's levels");
  cascade.resize(levels);
  cascade.back().out_fraction = 0;
  return cascade;
}

}  // namespace helio
