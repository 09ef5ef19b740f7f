// SPDX-License-Identifier: Apache-2.0
// Ring: every rank speaks only to its neighbour, and every link carries the same at the same time.
//
//       0 ──▶ 1         reduce-scatter, n = 4, one letter per block; in round i rank p hands block p-1-i on, and what
//       ▲     │         arrives is added. After n-1 rounds rank r holds the sum of block r:
//       │     ▼
//       3 ◀── 2             round 0     round 1     round 2
//                       0 sends   D           C           B   to 1, which ends with B
//                       1 sends   A           D           C   to 2, which ends with C
//                       2 sends   B           A           D   to 3, which ends with D
//                       3 sends   C           B           A   to 0, which ends with A
//
// All-gather is the same walk with stores, starting from block r at rank r; all-reduce is one after the other.
// Broadcast and reduce are a pipelined chain, the vector in K pieces, all links busy once it is filled:
//
//       root ─▶ root+1 ─▶ … ─▶ root+n-1        link j carries piece i in round j+i
//
//     kind             rounds     bytes sent per rank
//     all-reduce       2(n-1)     2 M (n-1)/n
//     reduce-scatter   n-1        M (n-1)/n
//     all-gather       n-1        M (n-1)/n
//     broadcast        K+n-2      M (the last of the chain: 0)
//     reduce           K+n-2      M (the root: 0)
//
// There is no all-to-all: forwarding blocks around the ring loads every link as much as sending them directly along the
// same links would, in n-1 rounds instead of one.
//
// Patarasuk & Yuan 2009, "Bandwidth optimal all-reduce algorithms for clusters of workstations"; all-gather: Thakur,
// Rabenseifner & Gropp 2005, "Optimization of collective communication operations in MPICH".
#pragma once

#include <span>

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry ring();

// A schedule whose slots walk around the ring in every one of `directions` (+1: p sends to p+1, -1: to p-1), an equal share
// of each block, or of the chain's pieces, for each. With one direction this is `ring`, with both `bidirectional-ring`.
// The moves of a phase come direction by direction, equally many of each.
Schedule walk_ring(std::string_view name, std::span<const int> directions, const CollectiveRequest& request,
                   const Capabilities& capabilities, const Parameters& parameters);

// The number of pieces per direction that minimises the time of a chain, (K+n-2)(a + t/K), with a the cost of starting a
// round and t the time of all that goes in one direction over one link: K = sqrt((n-2) t/a), at least 1, at most 1024, and
// no piece smaller than a byte.
std::uint32_t best_pieces(Position ranks, Bytes bytes, const Capabilities& capabilities);

// The declaration of `chunks`, K above, for an algorithm that walks the ring.
Parameter chunks_parameter(std::string_view algorithm);

}  // namespace helio::schedule
