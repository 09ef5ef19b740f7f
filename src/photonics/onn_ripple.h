// SPDX-License-Identifier: Apache-2.0
// The staircase from the lowest sum up (onn_construct.h, lsb): V = T + h is brought to base R' = R^g by carries, and symbol j of
// the average is cut out of its bits.
//
//   W_k = s_k + h_k + c_{k−1}     c_k = ⌊W_k/R'⌋     F_k(e) = ⌊W_k/2^e⌋, a sum of the steps of W_k at multiples of 2^e
//
//   bits of V     … | W_2 mod R' | W_1 mod R' | W_0 mod R' |        symbol j = ⌊V/2^x⌋ − R·⌊V/2^(x+M)⌋,  x = p + jM
//                          ├──o_j──┤   a symbol lies in one position, or in two neighbours
//
//   in position k alone:   o_j = F_k(x') − R·F_k(x'+M)                                    x' = x − k·M·g
//   in k and k+1:          o_j = F_k(x') − 2^y·c_k + 2^y·W_{k+1} − R·F_{k+1}(x'+M−M·g)     y = M·g − x'
//
// The highest position has no carry: its steps give all symbols above. Where V may pass the largest code (fractions arrive), one more
// of its steps raises all symbols to R − 1.
#pragma once

#include <vector>

#include "photonics/onn_construct.h"
#include "photonics/onn_wires.h"

namespace helio::photonics {

// p of the task's divisor 2^p, which may be below 1. Throws Error(kInfeasible) where it is no power of two, or with half-even.
int divisor_bits(const AveragingTask& task);

// Symbols as expressions over the wires of the last closed layer. `sums` has the dither light last, where the task has one.
// Throws Error(kInfeasible) where the divisor is not a power of two, or with half-even.
std::vector<WireSum> ripple(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums,
                            OnnWires& wires);

}  // namespace helio::photonics
