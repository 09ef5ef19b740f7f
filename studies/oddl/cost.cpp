// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/cost.h"

#include <bit>
#include <cmath>
#include <vector>

namespace helio::studies::oddl_study {

double SetUp::round_trip() const {
  constexpr double kMessage = 64 * 8 / 10e9, kPerMetre = 5e-9, kArbiter = 3 * 5e-9;  // papers/oddl.md 2.3
  return 2 * (kMessage + fibre * kPerMetre) + kArbiter;
}

double SetUp::dark() const {
  constexpr double kLock = 100e-9, kGuard = 20e-9;  // papers/oddl.md 2.3
  return tune + kLock + kGuard;
}

double ring_cost(double bytes, int nodes, double rate, double step, double setup) {
  return setup + 2 * (nodes - 1) * (step + 8 * bytes / nodes / rate);
}

double halving_cost(double bytes, std::span<const double> rates, double step, double setup) {
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k)
    sum += step + setup + 8 * std::ldexp(bytes, -static_cast<int>(k) - 1) / rates[k];
  return 2 * sum;
}

double halving_cost(double bytes, int nodes, double rate, double step, double setup) {
  const std::vector<double> rates(std::bit_width(static_cast<unsigned>(nodes)) - 1, rate);
  return halving_cost(bytes, rates, step, setup);
}

double two_level_cost(double bytes, int nodes, int group, double rate, double step, double setup) {
  return halving_cost(bytes, group, rate, step, setup) + ring_cost(bytes / group, nodes / group, rate, step, setup);
}

}  // namespace helio::studies::oddl_study
