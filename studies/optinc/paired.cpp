// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/paired.h"

#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace helio::studies::optinc_study {

double student_within(double t, int degrees) {
  assert(degrees >= 1 && t >= 0 && "a distance, and a difference of at least two");
  const double angle = std::atan(t / std::sqrt(degrees));
  const double cosine = std::cos(angle), sine = std::sin(angle);

  // Even: sin θ (1 + 1/2 cos² θ + 1·3/(2·4) cos⁴ θ + … + cosⁿ⁻² θ).
  // Odd:  2/π (θ + sin θ (cos θ + 2/3 cos³ θ + 2·4/(3·5) cos⁵ θ + … + cosⁿ⁻² θ)).
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1, sum = 0;
  for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
    sum += term;
    term *= cosine * cosine * (power + 1) / (power + 2);
  }
  return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

double student_quantile(double share, int degrees) {
  assert(share >= 0 && share < 1 && "a probability that something finite has");
  double low = 0, high = 1;
  while (student_within(high, degrees) < share) high *= 2;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (student_within(middle, degrees) < share ? low : high) = middle;
  }
  return high;
}

PairedDifference paired(std::span<const double> differences) {
  assert(differences.size() >= 2 && "one difference says nothing of its scatter");
  const auto count = static_cast<double>(differences.size());
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  double squares = 0;
  for (const double difference : differences) squares += (difference - mean) * (difference - mean);
  const int pairs = static_cast<int>(differences.size());
  const double deviation = std::sqrt(squares / (count - 1));
  return {.pairs = pairs, .mean = mean, .half_width = student_quantile(0.95, pairs - 1) * deviation / std::sqrt(count)};
}

}  // namespace helio::studies::optinc_study
