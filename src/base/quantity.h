// SPDX-License-Identifier: Apache-2.0
// Physical quantities as strong types: bytes, bit rates, decibels, watts.
//
// Invariant: the unit is part of the type, the number is a double in the type's base unit, and nothing
// converts silently. Bytes are real numbers because a chunk of a vector need not be a whole byte
// (100 MB over 1,024 ranks is 97,656.25 bytes).
#pragma once

#include <compare>

namespace helio {

template <class Tag>
struct Quantity {
  double value = 0;

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(Quantity a, double k) { return {a.value * k}; }
  friend constexpr Quantity operator*(double k, Quantity a) { return {a.value * k}; }
  friend constexpr Quantity operator/(Quantity a, double k) { return {a.value / k}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
  constexpr Quantity& operator+=(Quantity b) {
    value += b.value;
    return *this;
  }
};

using Bytes = Quantity<struct BytesTag>;      // bytes
using BitRate = Quantity<struct BitRateTag>;  // bits per second
using Decibel = Quantity<struct DecibelTag>;  // dB
using Power = Quantity<struct PowerTag>;      // watts
using Energy = Quantity<struct EnergyTag>;    // joules

// Seconds that `bytes` take at `rate`. Requires: rate > 0.
constexpr double seconds_at(Bytes bytes, BitRate rate) { return bytes.value * 8.0 / rate.value; }

}  // namespace helio
