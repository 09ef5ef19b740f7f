// SPDX-License-Identifier: Apache-2.0
// Which code stands for zero, and how far codes reach on both sides of it.
//
//     0 ─────────────── zero ─────────────── 2^B − 1        g ─▷ zero + round(g / s)
//       │◁── steps ──▷│      │◁── steps ──▷│                s = largest |g| / steps
//
// In the middle (2^(B−1), as in papers/optinc.md 2.1) most codes are used. But gradients are mostly small, and there small codes of both
// signs differ in every symbol: 127 is 01·11·11·11 and 128 is 10·00·00·00. A network that errs anywhere errs at such carries, and
// then at one average in five instead of one in a hundred. Zero at 150, 10·01·01·10, keeps small codes within a symbol and leaves 105 steps
// instead of 127. Ours.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace helio::emulate {

struct CodeRange {
  float zero = 128, most = 127;  // the code of zero; steps from there to the last code
  float steps() const { return std::fmin(zero, most); }
  float reach() const { return std::fmax(zero, most); }
};

// Throws Error(kInput) for a zero that has no code on one of its sides.
CodeRange range_of(int bits, std::optional<std::uint32_t> zero);

}  // namespace helio::emulate
