// SPDX-License-Identifier: Apache-2.0
// In-fabric: the network itself adds what meets in it and copies what leaves it.
//
//       0 ──╲          ╱──▶ 0        one move: source set {0..n-1}, destination set {0..n-1};
//       1 ──╲╲        ╱╱──▶ 1        each rank sends its vector once and receives the result once,
//       2 ───⟩⟩ sum ⟨⟨────▶ 2        whatever n is
//       3 ──╱          ╲──▶ 3
//
//     kind             rounds   bytes sent per rank      needs of the fabric
//     all-reduce       1        M                        reduces, multicasts
//     reduce           1        M                        reduces
//     broadcast        1        M by the root            multicasts
//     reduce-scatter   n        M, block r in round r    reduces
//     all-gather       n        M/n, rank r in round r   multicasts
//
// In reduce-scatter and all-gather the destination, or source, changes from round to round, so each block is a move of
// its own, active in one round.
//
// FRED (papers/fred.md) and OptINC (papers/optinc.md) are such fabrics; the pattern is that of Graham et al. 2016,
// "Scalable hierarchical aggregation protocol (SHArP)".
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry in_fabric();

}  // namespace helio::schedule
