// SPDX-License-Identifier: Apache-2.0
// A value that sources disagree about, or that is only remembered: between `low` and `high`; the same where one source is all there is.
#pragma once

namespace helio {

struct Range {
  double low = 0, high = 0;

  constexpr double middle() const { return (low + high) / 2; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
  friend constexpr Range operator+(Range a, Range b) { return {a.low + b.low, a.high + b.high}; }
  // Of values that are not negative.
  friend constexpr Range operator*(Range a, Range b) { return {a.low * b.low, a.high * b.high}; }
  friend constexpr Range operator*(double k, Range a) { return {k * a.low, k * a.high}; }
  constexpr Range& operator+=(Range b) { return *this = *this + b; }
};

}  // namespace helio
