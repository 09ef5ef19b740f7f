// SPDX-License-Identifier: Apache-2.0
// How equal-cost routing spreads flows: a hash of who sends to whom picks one of the equal ways (C. Hopps, RFC 2992, 2000).
//
// Invariant: the same flow takes the same way as long as the seed is the same; over flows the picks are uniform and, for
// different `hop`, independent.
#pragma once

#include <cstdint>

#include "base/id.h"
#include "base/mix.h"

namespace helio::fabric {

class FlowHash {
 public:
  FlowHash(std::uint64_t seed, NodeId from, NodeId to)
      : flow_(mixed(mixed(seed + kGolden) ^ (static_cast<std::uint64_t>(from.value) << 32 | to.value))) {}

  // One of 0..choices-1. Requires: choices > 0.
  std::uint32_t pick(std::uint32_t hop, std::uint32_t choices) const {
    return static_cast<std::uint32_t>((mixed(flow_, hop) >> 32) * choices >> 32);
  }

 private:
  std::uint64_t flow_;
};

}  // namespace helio::fabric
