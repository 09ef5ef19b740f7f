// SPDX-License-Identifier: Apache-2.0
// Bidirectional ring: half of each block walks one way, half the other, so both directions of every link are busy.
//
//       0 ═══ 1         slot 2b of block b goes  p ──▶ p+1  as in `ring`,
//       ║     ║         slot 2b+1            p-1 ◀── p      in the mirror.
//       3 ═══ 2
//
// Broadcast and reduce run one chain in each direction, half the vector on each, K pieces on each.
//
//     kind             rounds     bytes sent per rank, half in each direction
//     all-reduce       2(n-1)     2 M (n-1)/n
//     reduce-scatter   n-1        M (n-1)/n
//     all-gather       n-1        M (n-1)/n
//     broadcast        K+n-2      M (each end of a chain: M/2 less)
//     reduce           K+n-2      M (the root: 0)
//
// On a ring of two nodes p+1 and p-1 are the same rank, and only a lane keeps the directions apart: 0 for +1, 1 for -1.
// Everywhere else the fabric takes the shorter way, because two of many nodes, or a group in another order, would be sent
// the long way round.
//
// Patarasuk & Yuan 2009, twice: once around each way of full-duplex links.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry bidirectional_ring();

}  // namespace helio::schedule
