// SPDX-License-Identifier: Apache-2.0
// Seeded random numbers that are the same on every machine: xoshiro256** seeded by splitmix64
// (Blackman & Vigna 2018). The standard library's distributions differ between implementations; these do not.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace helio {

class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [0, bound), without bias. Requires: bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1).
  double uniform();
  // Standard normal deviate.
  double normal();
  // A generator that is independent of this one for every `stream`.
  Random split(std::uint64_t stream) const;

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace helio
