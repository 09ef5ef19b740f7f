// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <bit>
#include <cassert>
#include <cmath>

#include "base/mix.h"

namespace helio {
Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = mixed(seed += kGolden);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

// The high half of next() * bound, with the few low halves redrawn that would favour some results (Lemire 2019).
std::uint64_t Random::below(std::uint64_t bound) {
  assert(bound > 0 && "a draw below zero has no legal result");
  unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t surplus = -bound % bound;  // 2^64 modulo bound
    while (static_cast<std::uint64_t>(product) < surplus) product = static_cast<unsigned __int128>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

// Ratio of uniforms with Leva's quadratic bounds (ACM TOMS 18:449, 1992; the constants are his). The deviate is a
// plain quotient and the logarithm only decides the rare doubtful case, so that results do not hang on a libm.
double Random::normal() {
  while (true) {
    const double u = 1.0 - uniform();  // in (0, 1]
    const double v = 1.7156 * (uniform() - 0.5);
    const double x = u - 0.449871;
    const double y = std::abs(v) + 0.386595;
    const double q = x * x + y * (0.19600 * y - 0.25472 * x);
    if (q < 0.27597) return v / u;
    if (q <= 0.27846 && v * v <= -4.0 * u * u * std::log(u)) return v / u;
  }
}

Random Random::split(std::uint64_t stream) const {
  std::uint64_t seed = mixed(stream + kGolden);
  for (const std::uint64_t word : state_) seed = mixed((seed ^ word) + kGolden);
  return Random(seed);
}

}  // namespace helio
