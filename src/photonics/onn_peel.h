// SPDX-License-Identifier: Apache-2.0
// The staircase from the highest symbol down (onn_construct.h, msb): X = T·num + h, and G = ⌊X/den⌋ loses its symbols one by one.
//
//   X ─▷ steps at j·den·R^k ─▷ o_k = how many are passed;   X ← X − den·R^k·o_k;   k ← k − 1
//
// The wire of X is kept at symbol size: X/(den·R^k) is in 0..R when o_k is decided, so that light is amplified R-fold per symbol.
// Past the largest code every symbol saturates by itself. With half-even a tie goes down to even: the last steps to odd symbols
// stand one higher.
#pragma once

#include <vector>

#include "photonics/onn_construct.h"
#include "photonics/onn_wires.h"

namespace helio::photonics {

// Symbols as expressions over the wires of the last closed layer. `sums` has the dither light last, where the task has one.
std::vector<WireSum> peel(const AveragingTask& task, const Construction& how, std::vector<WireSum> sums,
                          OnnWires& wires);

}  // namespace helio::photonics
