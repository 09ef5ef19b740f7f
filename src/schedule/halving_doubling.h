// SPDX-License-Identifier: Apache-2.0
// Halving-doubling: logarithmically many steps at the volume of a ring.
//
// n a power of two: pairs across a hypercube. In reduce-scatter each rank gives its partner the aligned half of its range
// that contains the partner, and keeps the aligned half that contains itself, until only its own block is left:
//
//     n = 8     step 1, p <-> p^4        step 2, p <-> p^2     step 3, p <-> p^1
//     rank 5    [0 1 2 3 4 5 6 7]   →    [4 5 6 7]        →    [4 5]        →      [5]
//     gives      0 1 2 3 to 1            6 7 to 7              4 to 4
//
// Any other n: the same halving on a circulant, which needs no fold of extra ranks and wastes no byte. With skips
// s0 = n, s(k+1) = ceil(s(k)/2), rank r holds sums for blocks r..r+s(k)-1 (modulo n) and gives the far part,
// r+s(k+1)..r+s(k)-1, to rank r+s(k+1), for which they are the near part:
//
//     n = 6, skips 6 3 2 1     rank 0    [0 1 2 3 4 5]  →   [0 1 2]  →   [0 1]  →   [0]
//                              gives      3 4 5 to 3         2 to 2       1 to 1
//
// All-gather is the mirror of reduce-scatter: phases backwards, every move turned around. Broadcast is scatter (a
// binomial tree from the root over the same skips) and all-gather, reduce is reduce-scatter and the mirror of scatter.
// With L = ceil(log2 n):
//
//     kind             rounds   bytes sent per rank
//     all-reduce       2L       2 M (n-1)/n
//     reduce-scatter   L        M (n-1)/n
//     all-gather       L        M (n-1)/n
//     broadcast        2L       2 M (n-1)/n by the root; the others less
//     reduce           2L       M (n-1)/n and a part of the gather; the root M (n-1)/n
//
// Rabenseifner 2004, "Optimization of collective reduction operations"; Thakur, Rabenseifner & Gropp 2005 (broadcast after
// van de Geijn, reduce after Rabenseifner); the circulant: Träff 2024, "Optimal, non-pipelined reduce-scatter and
// allreduce algorithms", after Bruck et al. 1997.
#pragma once

#include <string_view>
#include <vector>

#include "schedule/algorithm.h"
#include "schedule/lattice.h"

namespace helio::schedule {

AlgorithmEntry halving_doubling();

// Reduce-scatter by halving in one stage of a share, everywhere along its axis at once: a phase for each step.
std::vector<Phase> halve(const Lattice& lattice, const Share& share, std::size_t stage, std::uint32_t chunks);

// Phases backwards, moves turned around, stores: what spread out comes together, and the other way round. The new name takes the
// place of what stood before the comma.
std::vector<Phase> mirror(std::vector<Phase> phases, std::string_view name);

}  // namespace helio::schedule
