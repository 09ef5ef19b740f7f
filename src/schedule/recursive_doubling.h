// SPDX-License-Identifier: Apache-2.0
// Recursive doubling: partners twice as far apart in every step, as few steps as there can be.
//
//     all-reduce, n = 8: the whole vector both ways, and both add        all-gather, n = 8: all that one has so far
//
//     step 1   0═1  2═3  4═5  6═7     sums of 2                          rank 5 has   5
//     step 2   0═2  1═3  4═6  5═7     sums of 4                          from 4       4 5
//     step 3   0═4  1═5  2═6  3═7     sums of 8                          from 7       4 5 6 7
//                                                                       from 1       0 1 2 3 4 5 6 7
//
// All-reduce of any other n: with r ranks more than the power of two c below n, the first 2r ranks are paired; the odd
// one of a pair hands its vector to the even one, waits while c ranks double, and is handed the result:
//
//     n = 6, c = 4, r = 2     fold   1─▶0  3─▶2   4   5        doubling among 0 2 4 5        unfold   0─▶1  2─▶3
//
// ceil(log2 n) steps would do for any n (Bar-Noy, Kipnis & Schieber 1993), but there one message is added to two
// partial sums, and a move has one destination: the fold is one step longer. All-gather needs no fold: it is the second
// half of halving-doubling, hypercube or circulant (halving_doubling.h). With l = log2 c and L = ceil(log2 n):
//
//     kind                         rounds   bytes sent by the busiest rank
//     all-reduce, n = c            L        L M
//     all-reduce, other n          l + 2    (l+1) M
//     all-gather                   L        M (n-1)/n
//
// Thakur, Rabenseifner & Gropp 2005, "Optimization of collective communication operations in MPICH".
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry recursive_doubling();

}  // namespace helio::schedule
