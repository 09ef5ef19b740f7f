// SPDX-License-Identifier: Apache-2.0
// A quantity in text is a decimal number and a unit; a unit is a prefix and a base. Both scale by powers of ten and
// two only (a byte is 2^3 bits, Ki is 2^10), so the decimal exponent moves before the one rounding to a double, or to
// whole zeptoseconds, takes place: "249.2 MB" is 249200000 bytes and "0.1 ns" is 10^11 zeptoseconds, exactly.
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"

namespace helio {
namespace {

struct Scale {
  int ten = 0;  // powers of ten ...
  int two = 0;  // ... and of two
};

struct UnitPart {
  std::string_view name;
  Scale scale;
};

constexpr UnitPart kSmallPrefixes[] = {{"z", {-21}}, {"a", {-18}}, {"f", {-15}}, {"p", {-12}},
                                       {"n", {-9}},  {"u", {-6}},  {"m", {-3}}};
constexpr UnitPart kLargePrefixes[] = {{"k", {3}}, {"M", {6}}, {"G", {9}}, {"T", {12}}, {"P", {15}}};
constexpr UnitPart kBinaryPrefixes[] = {
    {"Ki", {0, 10}}, {"Mi", {0, 20}}, {"Gi", {0, 30}}, {"Ti", {0, 40}}, {"Pi", {0, 50}}};

constexpr UnitPart kTimeBases[] = {{"s", {}}};
constexpr UnitPart kByteBases[] = {{"B", {}}, {"b", {0, -3}}};
constexpr UnitPart kRateBases[] = {{"b/s", {}}, {"bps", {}}, {"B/s", {0, 3}}, {"Bps", {0, 3}}};
constexpr UnitPart kDecibelBases[] = {{"dB", {}}};
constexpr UnitPart kPowerBases[] = {{"W", {}}};
constexpr UnitPart kEnergyBases[] = {{"J", {}}};

// A kind of quantity; the first base is the one that format() prints.
struct Dimension {
  std::string_view what;     // with its article
  std::string_view example;  // legal texts
  std::span<const UnitPart> bases;
  bool small, large, binary;  // which prefixes it takes
};

constexpr Dimension kTime{"a time", "'25 us' or '1.5 ms'", kTimeBases, true, false, false};
constexpr Dimension kBytes{"a size", "'100 MB' or '1 GiB'", kByteBases, false, true, true};
constexpr Dimension kRate{"a rate", "'40 Gb/s' or '5 GB/s'", kRateBases, false, true, true};
constexpr Dimension kDecibel{"a level", "'0.32 dB'", kDecibelBases, false, false, false};
constexpr Dimension kPower{"a power", "'3.75 W', '10 mW' or '0 dBm'", kPowerBases, true, true, false};
constexpr Dimension kEnergy{"an energy", "'2 pJ'", kEnergyBases, true, true, false};
constexpr Dimension kNumber{"a number", "'0.5' or '1e-9'", {}, false, false, false};

[[noreturn]] void refuse(std::string problem, const Dimension& dimension, std::string_view note = {}) {
  throw Error(ErrorKind::kInput, std::move(problem), {},
              fmt::format("write {} such as {}{}", dimension.what, dimension.example, note));
}

// `digits` (no leading zero; empty for zero) times 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes a number such as "-1.5e3" off the front of `rest`; nothing when there is none.
std::optional<Decimal> take_decimal(std::string_view& rest) {
  std::string_view text = rest;
  Decimal decimal;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    decimal.negative = text.front() == '-';
    text.remove_prefix(1);
  }

  // Digits, of which those after the point lower the exponent.
  bool any = false, point = false;
  for (; !text.empty() && (is_digit(text.front()) || (text.front() == '.' && !point)); text.remove_prefix(1)) {
    if (text.front() == '.') {
      point = true;
      continue;
    }
    any = true;
    if (point) --decimal.exponent;
    if (text.front() != '0' || !decimal.digits.empty()) decimal.digits += text.front();
  }
  if (!any) return std::nullopt;

  // An exponent only if digits follow; absurd ones are cut to where every type over- or underflows.
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    std::string_view after = text.substr(1);
    const bool minus = !after.empty() && after.front() == '-';
    if (!after.empty() && (after.front() == '-' || after.front() == '+')) after.remove_prefix(1);
    if (!after.empty() && is_digit(after.front())) {
      constexpr long kAbsurd = 1'000'000'000;
      long exponent = 0;
      for (; !after.empty() && is_digit(after.front()); after.remove_prefix(1))
        exponent = std::min(kAbsurd, exponent * 10 + (after.front() - '0'));
      decimal.exponent += minus ? -exponent : exponent;
      text = after;
    }
  }
  rest = text;
  return decimal;
}

// "µ" in both of its encodings (U+00B5, U+03BC) is the prefix u.
std::string spelt_plainly(std::string_view unit) {
  for (const std::string_view mu : {"\xc2\xb5", "\xce\xbc"})
    if (unit.starts_with(mu)) return fmt::format("u{}", unit.substr(mu.size()));
  return std::string(unit);
}

std::optional<Scale> prefix_scale(std::string_view prefix, const Dimension& dimension) {
  if (prefix.empty()) return Scale{};
  const auto among = [&](std::span<const UnitPart> prefixes) -> std::optional<Scale> {
    for (const UnitPart& part : prefixes)
      if (part.name == prefix) return part.scale;
    return std::nullopt;
  };
  std::optional<Scale> scale;
  if (dimension.small) scale = among(kSmallPrefixes);
  if (!scale && dimension.large) scale = among(kLargePrefixes);
  if (!scale && dimension.binary) scale = among(kBinaryPrefixes);
  return scale;
}

std::optional<Scale> unit_scale(std::string_view unit, const Dimension& dimension) {
  for (const UnitPart& base : dimension.bases) {
    if (!unit.ends_with(base.name)) continue;
    if (const auto prefix = prefix_scale(unit.substr(0, unit.size() - base.name.size()), dimension))
      return Scale{prefix->ten + base.scale.ten, prefix->two + base.scale.two};
  }
  return std::nullopt;
}

struct Measure {
  Decimal number;
  std::string unit;
};

Measure split(std::string_view text, const Dimension& dimension) {
  std::string_view rest = trimmed(text);
  if (rest.empty()) refuse("the text is empty", dimension);
  const std::optional<Decimal> number = take_decimal(rest);
  if (!number) refuse(fmt::format("'{}' does not begin with a finite number", text), dimension);
  return {*number, spelt_plainly(trimmed(rest))};
}

Scale scale_of(const Measure& measure, std::string_view text, const Dimension& dimension) {
  if (measure.unit.empty()) {
    if (measure.number.digits.empty() || dimension.bases.empty()) return {};
    refuse(fmt::format("'{}' has no unit", text), dimension);
  }
  if (dimension.bases.empty()) refuse(fmt::format("'{}' has '{}' after the number", text, measure.unit), dimension);
  if (const auto scale = unit_scale(measure.unit, dimension)) return *scale;
  const bool capital_kilo = measure.unit.starts_with('K') && dimension.large;
  refuse(fmt::format("'{}' has the unknown unit '{}'", text, measure.unit), dimension,
         capital_kilo ? " (kilo is a small 'k'; 'K' occurs only in 'Ki', 1024)" : "");
}

// The double nearest to number · 10^ten, times 2^two.
double to_double(const Decimal& number, Scale scale, std::string_view text, const Dimension& dimension) {
  if (number.digits.empty()) return 0.0;
  const std::string plain = fmt::format("{}e{}", number.digits, number.exponent + scale.ten);
  double value = 0;
  const auto [end, failure] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  value = std::ldexp(value, scale.two);
  if (failure != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    refuse(fmt::format("'{}' is out of range", text), dimension);
  return number.negative ? -value : value;
}

double parse(std::string_view text, const Dimension& dimension) {
  const Measure measure = split(text, dimension);
  return to_double(measure.number, scale_of(measure, text, dimension), text, dimension);
}

// Rounds once, to four digits as "d.ddde±x", and then only moves the decimal point to suit the unit.
std::string format_in(double value, const Dimension& dimension) {
  const std::string_view base = dimension.bases.front().name;
  if (value == 0 || !std::isfinite(value)) return fmt::format("{} {}", value == 0 ? 0.0 : value, base);
  const std::string rounded = fmt::format("{:.3e}", value);
  const std::size_t e = rounded.find('e');
  const int exponent = static_cast<int>(parse_integer(rounded.substr(e + 1)));

  // The largest prefix that leaves at least 1, or the smallest there is.
  UnitPart best{"", {}};
  bool found = false;
  const auto consider = [&](const UnitPart& part) {
    if (found && part.scale.ten > exponent) return;
    best = part;
    found = true;
  };
  if (dimension.small) std::ranges::for_each(kSmallPrefixes, consider);
  consider({"", {}});
  if (dimension.large) std::ranges::for_each(kLargePrefixes, consider);

  const int shift = exponent - best.scale.ten;
  const double number = parse_number(fmt::format("{}e{}", rounded.substr(0, e), shift));
  const bool long_integer = shift >= 4 && shift < 7;  // beyond the largest unit: 36000 s rather than 3.6e+04 s
  return fmt::format("{} {}{}", long_integer ? fmt::format("{:.0f}", number) : fmt::format("{:.4g}", number), best.name,
                     base);
}

}  // namespace

Time parse_time(std::string_view text) {
  const Measure measure = split(text, kTime);
  const Scale scale = scale_of(measure, text, kTime);
  const std::string& digits = measure.number.digits;
  if (digits.empty()) return Time();

  // How many digits stand before the point when counted in zeptoseconds (1e-21 s); Time holds |seconds| < 1e16.
  constexpr long kZepto = 21, kMostDigits = 16 + kZepto;
  const long whole = static_cast<long>(digits.size()) + measure.number.exponent + scale.ten + kZepto;
  if (whole > kMostDigits) refuse(fmt::format("'{}' is out of range", text), kTime);

  // Those digits make the count; the first one behind them rounds it, half away from zero.
  Time::Count count = 0;
  for (long i = 0; i < whole; ++i)
    count = count * 10 + (i < static_cast<long>(digits.size()) ? digits[static_cast<std::size_t>(i)] - '0' : 0);
  if (whole >= 0 && whole < static_cast<long>(digits.size()) && digits[static_cast<std::size_t>(whole)] >= '5') ++count;
  return Time::zeptoseconds(measure.number.negative ? -count : count);
}

Bytes parse_bytes(std::string_view text) { return {parse(text, kBytes)}; }
BitRate parse_rate(std::string_view text) { return {parse(text, kRate)}; }
Decibel parse_decibel(std::string_view text) { return {parse(text, kDecibel)}; }
double parse_number(std::string_view text) { return parse(text, kNumber); }

Power parse_power(std::string_view text) {
  const Measure measure = split(text, kPower);
  if (measure.unit != "dBm") return {parse(text, kPower)};
  // dBm counts decibels above one milliwatt.
  const double watts = 1e-3 * std::pow(10.0, to_double(measure.number, {}, text, kPower) / 10.0);
  if (!std::isfinite(watts) || watts == 0) refuse(fmt::format("'{}' is out of range", text), kPower);
  return {watts};
}

long long parse_integer(std::string_view text) {
  std::string_view digits = trimmed(text);
  if (digits.size() > 1 && digits[0] == '+' && is_digit(digits[1])) digits.remove_prefix(1);
  long long value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = !digits.empty() && end == digits.data() + digits.size();
  if (whole && failure == std::errc()) return value;
  throw Error(ErrorKind::kInput, fmt::format("'{}' is {}", text, whole ? "out of range" : "not a whole number"), {},
              "write a whole number without a unit, such as '1024'");
}

std::string format(Time time) { return format_in(time.to_seconds(), kTime); }
std::string format(Bytes bytes) { return format_in(bytes.value, kBytes); }
std::string format(BitRate rate) { return format_in(rate.value, kRate); }
std::string format(Decibel level) { return format_in(level.value, kDecibel); }
std::string format(Power power) { return format_in(power.value, kPower); }
std::string format(Energy energy) { return format_in(energy.value, kEnergy); }

}  // namespace helio
