// SPDX-License-Identifier: Apache-2.0
// Averages of averages: N₁ servers per switch of level 1, N₂ such switches under level 2, and so on (papers/optinc.md 2.6).
//
//   servers ─▷ level 1: round to R^−f₁ ─▷ level 2: round to R^−f₂ ─▷ … ─▷ last level: round to whole codes ─▷ back to all
//
// In bits: a level that keeps f fraction bits (q = 2^f) of a sum S of n numbers in units of 1/p emits
//   half-up: ⌊(2·S·q + n·p)/(2·n·p)⌋ in units of 1/q
// Rounding twice is wrong often, and biased. With log₂ N₁ fraction bits and N₁ a power of two, level 1 rounds nothing and two levels are
// exact; L levels are exact when level i keeps log₂(N₁ ⋯ N_i) bits.
//
// The share of wrong results is found without drawing: with P servers in all, adding P to the sum of codes adds 1 to every rounding of
// their average, so that only the sum mod P and what rounding has done so far matter. Both have few values, and distributions over them
// are convolved level by level. Where P divides 2^B the sums mod P are uniform and every number is a fraction of a power of two.
#pragma once

#include <cstdint>
#include <map>

#include "base/averaging.h"

namespace helio::photonics {

// Of what arrives against a single rounding of the whole.
struct CascadeError {
  double wrong = 0;                  // share of uniform random codes
  std::int64_t least = 0, most = 0;  // of average − exact
  double bias = 0;                   // mean of average − exact, in codes
  std::map<std::int64_t, double> share;
};

// Without drawing. Error(kInput) for tasks that do not follow one another: the bits of one code and one rounding throughout, each level
// gets the fraction that the one below hands on, the last gives whole codes. Error(kInfeasible) with the roundings that need more than
// the sum mod P (half-even) or draws (dither), and where the distributions grow too large.
CascadeError exact_error(const AveragingCascade& cascade);

}  // namespace helio::photonics
