// SPDX-License-Identifier: Apache-2.0
// How equal-cost routing spreads flows: a hash of who sends to whom picks one of the equal ways (C. Hopps, RFC 2992, 2000).
//
// Invariant: the same flow takes the same way as long as the seed is the same; over flows the picks are uniform and, for
// different `hop`, independent.
#pragma once

#include <cstdint>

#include "base/id.h"

namespace helio::fabric {

class FlowHash {
 public:
  FlowHash(std::uint64_t seed, NodeId from, NodeId to)
      : flow_(mix(mix(seed + kGolden) ^ (static_cast<std::uint64_t>(from.value) << 32 | to.value))) {}

  // One of 0..choices-1. Requires: choices > 0.
  std::uint32_t pick(std::uint32_t hop, std::uint32_t choices) const {
    return static_cast<std::uint32_t>((mix(flow_ + (hop + 1) * kGolden) >> 32) * choices >> 32);
  }

 private:
  // splitmix64 (Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014).
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t flow_;
};

}  // namespace helio::fabric
