// SPDX-License-Identifier: Apache-2.0
// splitmix64 (Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): a counter that advances by the golden
// ratio, and a bijective mixer of it. Cheap, and the same wherever it is computed.
#pragma once

#include <cstdint>

namespace helio {

inline constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 over the golden ratio

// The finaliser: every bit of the word moves half of the bits of the result.
constexpr std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
  return word ^ (word >> 31);
}

// The number that the counter of this seed gives at this index.
constexpr std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) { return mixed(seed + (index + 1) * kGolden); }

}  // namespace helio
