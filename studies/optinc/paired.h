// SPDX-License-Identifier: Apache-2.0
// Two ways of training compared seed by seed: both start from the same values and see the same batches, so what a seed does to both
// drops out of the difference.
//
//     d_i = a_i − b_i,   mean ± t(0.975, n−1) · s/√n,   s² = Σ (d_i − mean)² / (n−1)
//
// The interval is Student's: it holds 95 % of the time if differences are drawn independently from one normal distribution.
#pragma once

#include <span>

namespace helio::studies::optinc_study {

struct PairedDifference {
  int pairs = 0;
  double mean = 0;
  double half_width = 0;  // of the 95 % interval

  double low() const { return mean - half_width; }
  double high() const { return mean + half_width; }
};

// Requires: at least two differences.
PairedDifference paired(std::span<const double> differences);

// P(|T| <= t) of Student's distribution with so many degrees of freedom, in closed form (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
// Requires: degrees >= 1, t >= 0.
double student_within(double t, int degrees);

// The t with P(|T| <= t) = share. Requires: degrees >= 1, 0 <= share < 1.
double student_quantile(double share, int degrees);

}  // namespace helio::studies::optinc_study
