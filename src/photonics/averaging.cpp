// SPDX-License-Identifier: Apache-2.0
#include "photonics/averaging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"

namespace helio::photonics {
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

Grid::Grid(const AveragingTask& task) : task_(task) {
  task_.check();
  size_ = std::pow(static_cast<double>(task_.levels()), task_.inputs());
  if (task_.rounding == Rounding::kDither) size_ *= static_cast<double>(task_.denominator());

  // One sum: the N-fold convolution of R^g equal ones, server by server.
  const std::size_t radix = static_cast<std::size_t>(task_.input_radix());
  if (task_.levels() * task_.input_radix() > (std::int64_t{1} << 28)) return;  // no table; probability() says so
  sum_probability_ = {1.0};
  for (int i = 0; i < task_.servers; ++i) {
    std::vector<double> next(sum_probability_.size() + radix - 1);
    for (std::size_t s = 0; s < next.size(); ++s) {
      const std::size_t first = s >= radix ? s - radix + 1 : 0, last = std::min(s, sum_probability_.size() - 1);
      double window = 0;
      for (std::size_t t = first; t <= last; ++t) window += sum_probability_[t];
      next[s] = window / static_cast<double>(radix);
    }
    sum_probability_ = std::move(next);
  }
}

void Grid::point(std::uint64_t index, std::span<int> point) const {
  const std::uint64_t levels = static_cast<std::uint64_t>(task_.levels());
  for (int k = 0; k < task_.inputs(); ++k, index /= levels)
    point[static_cast<std::size_t>(k)] = static_cast<int>(index % levels);
  if (task_.rounding == Rounding::kDither) point.back() = static_cast<int>(index);
}

std::uint64_t Grid::index(std::span<const int> point) const {
  std::uint64_t index = task_.rounding == Rounding::kDither ? static_cast<std::uint64_t>(point.back()) : 0;
  for (int k = task_.inputs() - 1; k >= 0; --k)
    index = index * static_cast<std::uint64_t>(task_.levels()) +
            static_cast<std::uint64_t>(point[static_cast<std::size_t>(k)]);
  return index;
}

bool Grid::advance(std::span<int> point) const {
  for (std::size_t k = 0; k < point.size(); ++k) {
    const bool sum = static_cast<int>(k) < task_.inputs();
    if (++point[k] < (sum ? task_.levels() : task_.denominator())) return true;
    point[k] = 0;
  }
  return false;
}

void Grid::random_point(Random& random, std::span<int> point) const {
  for (int k = 0; k < task_.inputs(); ++k)
    point[static_cast<std::size_t>(k)] = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.levels())));
  if (task_.rounding == Rounding::kDither)
    point.back() = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.denominator())));
}

void Grid::random_codes_point(Random& random, std::span<int> point) const {
  const std::uint64_t mask = static_cast<std::uint64_t>(task_.input_radix()) - 1;
  const int width = task_.symbol_bits * task_.merge;
  std::ranges::fill(point, 0);
  for (int i = 0; i < task_.servers; ++i) {
    std::uint64_t code = random.next() >> 8;
    for (int k = 0; k < task_.inputs(); ++k, code >>= width)
      point[static_cast<std::size_t>(k)] += static_cast<int>(code & mask);
  }
  if (task_.rounding == Rounding::kDither)
    point.back() = static_cast<int>(random.below(static_cast<std::uint64_t>(task_.denominator())));
}

double Grid::probability(std::span<const int> point) const {
  if (sum_probability_.empty())
    throw Error(ErrorKind::kInfeasible, fmt::format("multiplicities of sums with {} levels", task_.levels()), {},
                "merge fewer symbols");
  double probability = 1;
  for (int k = 0; k < task_.inputs(); ++k)
    probability *= sum_probability_[static_cast<std::size_t>(point[static_cast<std::size_t>(k)])];
  return task_.rounding == Rounding::kDither ? probability / static_cast<double>(task_.denominator()) : probability;
}

SymbolCodec::SymbolCodec(int bits, int symbol_bits, double scale)
    : symbol_bits_(symbol_bits),
      scale_(scale),
      offset_(std::ldexp(1.0, bits - 1)),
      largest_(std::ldexp(1.0, bits) - 1) {
  check_symbols(bits, symbol_bits);
  if (!std::isfinite(scale) || scale <= 0)
    throw wrong(fmt::format("a scale of {} per code step", scale), "the scale is positive and finite");
}

std::uint32_t SymbolCodec::code(double gradient) const {
  if (std::isnan(gradient)) throw wrong("a gradient that is not a number has no code");
  return static_cast<std::uint32_t>(std::clamp(std::round(gradient / scale_) + offset_, 0.0, largest_));
}

void SymbolCodec::digits(std::int64_t code, std::span<int> out) const {
  const std::int64_t mask = (std::int64_t{1} << symbol_bits_) - 1;
  for (int& digit : out) {
    digit = static_cast<int>(code & mask);
    code >>= symbol_bits_;
  }
}

std::int64_t SymbolCodec::from_digits(std::span<const int> digits) const {
  std::int64_t code = 0;
  for (std::size_t k = digits.size(); k-- > 0;) code = (code << symbol_bits_) | digits[k];
  return code;
}

}  // namespace helio::photonics
