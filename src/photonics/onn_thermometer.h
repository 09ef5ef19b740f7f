// SPDX-License-Identifier: Apache-2.0
// The staircase from the lowest sum up (onn_construct.h), made for chips that err: every number is a thermometer, a row of wires that are
// 0 or 1, every decision stands half a symbol from its threshold, and every layer is sums and copies of sums, nothing else.
//
//   s_0 ─▷ [W_0 ≥ …]  ─ carry ──┐                             W_k = s_k + h_k + c_{k−1} as in onn_ripple.h
//   s_1 ─▷ [s_1 ≥ 1 … L−1] ────(+)─▷ [W_1 ≥ …] ─ carry ──┐
//   s_2 ─▷ [s_2 ≥ 1 … L−1] ─▷ wire by wire made anew ───(+)─▷ [W_2 ≥ …] …
//                                       [W_1 ≥ …] ─ ± ─▷ bits of symbols ─▷ made anew ─▷ …  ─▷ Σ ─▷ o_j
//
//   A part of a symbol, A = ⌊W/2^e⌋ mod 2^y, is a thermometer too:   [A ≥ i] = Σ_m [W ≥ m·2^(e+y) + i·2^e] − [W ≥ (m+1)·2^(e+y)],
//   which is 0 or 1 and never adds up more than as many wires as W has.
//
// A step that several sums take stands there several times, as copies of the same light: so every wire has one reader, a layer falls
// apart into blocks of rank 1, and each is a tree of MZIs that adds and one that copies (mesh_tree.h). Wires carry their ½ in both signs,
// which halves what an error of a gain does to the longest sums. K + 2 layers for K sums.
#pragma once

#include <vector>

#include "photonics/onn_wires.h"

namespace helio::photonics {

// Symbols as expressions over the wires of the last closed layer. `sums` has the dither light last, where the task has one.
// Throws Error(kInfeasible) as `ripple` does. Requires: wires with limited steps.
std::vector<WireSum> thermometers(const AveragingTask& task, std::vector<WireSum> sums, OnnWires& wires);

}  // namespace helio::photonics
