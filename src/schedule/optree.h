// SPDX-License-Identifier: Apache-2.0
// OpTree: all-gather in k stages on a bidirectional WDM ring, far and thin first, near and thick last.
//
//     n = 8, k = 3, m = 2     stage 1  the ring in 2 arcs of 4      0⇄4  1⇄5  2⇄6  3⇄7     1 block each
//                             stage 2  every arc in 2 of 2          0⇄2  1⇄3, 4⇄6  5⇄7     2 blocks each
//                             stage 3  every arc in 2 of 1          0⇄1, 2⇄3, 4⇄5, 6⇄7     4 blocks each
//
// A stage cuts each arc into m parts; the i-th ranks of its parts exchange all they hold. Before it, every block is
// held by exactly one rank of the arc, after it by exactly one rank of each part; when parts are single ranks, all
// have all. Parts may differ by one rank: what the last rank of a long part holds goes to the last rank of a short
// one.
//
// A step carries one block on each lightpath. The first stage is an all-to-all around the ring for each i
// (ring_exchange.h): n/m times m^2/8 lightpaths over the busiest segment, n m / 8. A later one is on arcs, m^2/4
// lightpaths for each of n/m^j ranks, m^(j-1) blocks each: n m / 4, attained because intervals on a line need as many
// wavelengths as overlap. With w wavelengths, n m / 8w steps once and n m / 4w steps k-1 times:
//
//     steps = (2k-1) n^(1+1/k) / 8w        with m = n^(1/k) taken as a real number
//
// That formula is what is recalled of OpTree (Dai et al., arXiv 2211.15119; papers/wrht.md 7.2), and it is
// `optree_steps`. The stages above are ours, read off its two terms: m is a whole number here, and every stage ends
// with a full step. n = 1024, w = 64: the formula has 70 (k = 6, m = 3.17), the schedule 72 (m = 4).
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry optree();

// The recalled closed form for one depth, and the depth with the fewest steps, the smaller of two that tie.
// Requires: ranks >= 2, wavelengths >= 1, depth >= 1.
std::uint64_t optree_steps(std::uint64_t ranks, std::uint64_t wavelengths, int depth);
int optree_depth(std::uint64_t ranks, std::uint64_t wavelengths);

// The fewest over all depths.
std::uint64_t optree_steps(std::uint64_t ranks, std::uint64_t wavelengths);

}  // namespace helio::schedule
