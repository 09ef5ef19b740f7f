// SPDX-License-Identifier: Apache-2.0
// The lean of rounded averages, and servers that take it back.
//
// An average of N codes is a multiple of 1/N. Rounded half up it gains 1/(2N) of a code on average, always upwards: of the fractions
// 0, 1/4, 1/2, 3/4 of four servers, 1/2 goes up and nothing answers it. A training feels that as a steady push in every step. A server
// that rounds half a code lower takes 1/(2N) from the average, so one such server levels the switch, with no change of its optics:
//
//     fraction of Σ/4          0     1/4    1/2    3/4       mean
//     error of half up         0    −1/4   +1/2   +1/4      +1/8
//     one server half lower                                 −1/8
//
// In a cascade every level that rounds leans; the servers stand for all of them. Rounding down leans the other way, and servers round
// half a code higher. Half-even and dither do not lean. Ours; papers/optinc.md speaks of no rounding.
#pragma once

#include <cstdint>

#include "emulate/code_averager.h"

namespace helio::emulate {

// Servers that round half a code lower (negative) or higher, spread evenly, the first server among them.
struct Balance {
  std::int32_t servers = 0;
  std::uint32_t all = 1;

  // What server i adds to its number, in codes, before it rounds: −1/2, 0 or 1/2.
  float offset(std::uint32_t i) const {
    const auto some = static_cast<std::uint64_t>(servers < 0 ? -servers : servers);
    return i * some % all < some ? (servers < 0 ? -0.5f : 0.5f) : 0.0f;
  }
};

// Codes that a cascade adds to an average by rounding, on average over codes whose sums have all remainders alike.
double lean_of(const CodeAverager& averager);

// As many servers as take the lean back: 2N times the lean, to the nearest. Throws Error(kInfeasible) where all of them are too few.
Balance balance_of(const CodeAverager& averager);

}  // namespace helio::emulate
