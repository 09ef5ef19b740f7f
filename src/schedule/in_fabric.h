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
// All-reduce may also be taken apart (`fused` false): reduce-scatter and all-gather in the switch, each rank adding the last
// term itself. One after the other they cost 2M. But the sum of block r keeps the up ports of all but r and the down port of
// r busy, and the copies of block r the up port of r and the down ports of all but r: on full-duplex ports the sum of a
// bucket and the copies of the bucket before it pass at once. With B buckets of n blocks:
//
//     round      0  1  …  n-1 │ n  …  2n-1 │ …         round j n + r, for j = 0..B:
//     bucket 0   sums to r    │ copies of r│             block r of bucket j to r, added in the switch    (j < B)
//     bucket 1                │ sums to r  │ copies      block r of bucket j-1 from r to all others       (j > 0)
//
//     kind                   rounds     time at the ports             needs of the fabric
//     all-reduce, apart      (B+1) n    (B+1)/B M / rate; 2 M for B=1  reduces and multicasts, two operators at once for B>1
//
// papers/fred.md 2.2, last paragraph, and 7: the paper charges the fused form for ZeRO-2, which runs the other.
//
// FRED (papers/fred.md) and OptINC (papers/optinc.md) are such fabrics; the pattern is that of Graham et al. 2016,
// "Scalable hierarchical aggregation protocol (SHArP)".
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry in_fabric();

}  // namespace helio::schedule
