// SPDX-License-Identifier: Apache-2.0
// Time: one signed 128-bit count of zeptoseconds (1e-21 s).
//
// Why an integer: sums are exact and independent of their order, so k rounds of d are k*d to the last digit
// and the engine may jump over rounds without changing a result. Why zeptoseconds: a round of 1,907.35 ps is
// rounded by less than 3e-13 of itself, so a million of them stay far below 1e-9; the range is 5 billion years.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace helio {

// Throws Error(kInfeasible): such a time, in seconds, is not a number or beyond Time::kMost.
[[noreturn]] void refuse_time(double seconds);

class Time {
 public:
  using Count = __int128;
  static constexpr double kPerSecond = 1e21;
  static constexpr double kMost = 1e16;  // seconds that a conversion takes and a run may last; ten such still add up

  constexpr Time() = default;
  static constexpr Time zeptoseconds(Count n) { return Time(n); }
  // Nearest representable time. Throw as refuse_time.
  static constexpr Time seconds(double s) { return from(s, 1e21L); }
  static constexpr Time milliseconds(double s) { return from(s, 1e18L); }
  static constexpr Time microseconds(double s) { return from(s, 1e15L); }
  static constexpr Time nanoseconds(double s) { return from(s, 1e12L); }
  static constexpr Time picoseconds(double s) { return from(s, 1e9L); }
  static constexpr Time max() { return Time(static_cast<Count>((~static_cast<unsigned __int128>(0)) >> 1)); }

  constexpr Count count() const { return count_; }
  constexpr double to_seconds() const { return static_cast<double>(widened(count_) / 1e21L); }
  constexpr bool is_zero() const { return count_ == 0; }

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time a, Time b) { return Time(a.count_ + b.count_); }
  friend constexpr Time operator-(Time a, Time b) { return Time(a.count_ - b.count_); }
  friend constexpr Time operator*(Time a, std::int64_t k) { return Time(a.count_ * k); }
  friend constexpr Time operator*(std::int64_t k, Time a) { return a * k; }
  // The same where nobody knows that it fits. Throws as refuse_time.
  constexpr Time times(std::uint64_t k) const {
    const long double product = widened(count_) * static_cast<long double>(k);
    if (!(product < kMost * 1e21L && product > -kMost * 1e21L)) refuse_time(static_cast<double>(product / 1e21L));
    return Time(count_ * static_cast<Count>(k));
  }
  // How many whole periods fit. Requires: period > 0.
  friend constexpr std::int64_t operator/(Time a, Time period) {
    return static_cast<std::int64_t>(a.count_ / period.count_);
  }
  constexpr Time& operator+=(Time b) {
    count_ += b.count_;
    return *this;
  }
  constexpr Time& operator-=(Time b) {
    count_ -= b.count_;
    return *this;
  }

 private:
  explicit constexpr Time(Count n) : count_(n) {}
  static constexpr Time from(double value, long double scale) {
    const long double scaled = static_cast<long double>(value) * scale;
    if (!(scaled < kMost * 1e21L && scaled > -kMost * 1e21L))  // nor what is not a number
      refuse_time(value * static_cast<double>(scale / 1e21L));
    return Time(truncated(scaled + (scaled < 0 ? -0.5L : 0.5L)));
  }

  // The conversions of the language between 128 bits and long double, to the same bit but without the library calls that
  // compilers make of them: both are among the most frequent operations of a simulation. By halves: the upper one is exact in a
  // mantissa of 64 bits or more, and so is what the lower one adds or leaves.
  static constexpr bool kByHalves = std::numeric_limits<long double>::digits >= 64;
  static constexpr Count truncated(long double value) {
    if (value > -0x1p63L && value < 0x1p63L) return static_cast<std::int64_t>(value);
    if constexpr (!kByHalves) return static_cast<Count>(value);
    const long double magnitude = value < 0 ? -value : value;
    const auto upper = static_cast<std::uint64_t>(magnitude * 0x1p-64L);
    const auto lower = static_cast<std::uint64_t>(magnitude - static_cast<long double>(upper) * 0x1p64L);
    const auto count = static_cast<Count>(static_cast<unsigned __int128>(upper) << 64 | lower);
    return value < 0 ? -count : count;
  }
  static constexpr long double widened(Count count) {
    const auto upper = static_cast<std::int64_t>(count >> 64);
    const auto lower = static_cast<std::uint64_t>(count);
    if constexpr (!kByHalves) return static_cast<long double>(count);
    return static_cast<long double>(upper) * 0x1p64L + static_cast<long double>(lower);
  }
  Count count_ = 0;
};

}  // namespace helio
