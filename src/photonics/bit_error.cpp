// SPDX-License-Identifier: Apache-2.0
#include "photonics/bit_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace helio::photonics {

double snr_needed(double ber) { return -4 * std::log(2 * ber); }

double incoherent_crosstalk(int interferers, Decibel suppression) {
  return interferers * ratio_of(Decibel{-suppression.value});
}

Decibel eye_penalty(double crosstalk) { return noise_penalty(crosstalk, 1); }

Decibel noise_penalty(double crosstalk, double snr) {
  const double left = 1 - crosstalk * snr;
  return left > 0 ? in_decibels(1 / left) : Decibel{std::numeric_limits<double>::infinity()};
}

double gaussian_tail(double q) { return std::erfc(q / std::numbers::sqrt2) / 2; }

double q_for(double tail) {
  // Newton on the logarithm, from above: tail(q) <= exp(-q²/2)/2
  double q = std::sqrt(-2 * std::log(2 * tail));
  for (int i = 0; i < 8; ++i) {
    const double here = gaussian_tail(q), slope = std::exp(-q * q / 2) / std::sqrt(2 * std::numbers::pi);
    q = std::max(0.0, q + here / slope * std::log(here / tail));
  }
  return q;
}

double filtered_eye(std::span<const double> bandwidths_hz, double symbols_per_second, int levels) {
  double widened = 0;  // sigma_t squared
  for (const double bandwidth : bandwidths_hz)
    widened += std::numbers::ln2 / (std::numbers::pi * std::numbers::pi * bandwidth * bandwidth);
  const double kept =
      widened > 0 ? std::erf(1 / symbols_per_second / (2 * std::numbers::sqrt2 * std::sqrt(widened))) : 1;
  return kept - (levels - 1) * (1 - kept);
}

double beaten_eye(double crosstalk, double upper, double lower) {
  return 1 - 2 * std::sqrt(crosstalk * upper) / (std::sqrt(upper) - std::sqrt(lower));
}

Decibel in_decibels(double ratio) { return {10 * std::log10(ratio)}; }

double ratio_of(Decibel level) { return std::pow(10.0, level.value / 10); }

}  // namespace helio::photonics
