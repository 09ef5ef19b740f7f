// SPDX-License-Identifier: Apache-2.0
// splitmix64 (Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): a counter that advances by the golden
// ratio, and a bijective mixer of it. The one way here to make a well-mixed number of another one, or of a seed and an index.
#pragma once

#include <cstdint>

namespace helio {

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio

constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

// For each (seed, index), the same wherever it is computed: number `index` of the generator that starts at `seed`.
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) { return mixed(seed + (index + 1) * kGolden); }

}  // namespace helio
