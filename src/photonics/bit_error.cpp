// SPDX-License-Identifier: Apache-2.0
#include "photonics/bit_error.h"

#include <cmath>
#include <limits>

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

Decibel in_decibels(double ratio) { return {10 * std::log10(ratio)}; }

double ratio_of(Decibel level) { return std::pow(10.0, level.value / 10); }

}  // namespace helio::photonics
