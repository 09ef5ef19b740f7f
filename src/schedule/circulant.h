// SPDX-License-Identifier: Apache-2.0
// Circulant mixed-radix reduce-scatter and all-gather: on level i everybody talks only to the ranks s_i to its right
// and left, all at once, on light that stays lit for the whole level.
//
//     n = r_1 r_2 … r_k,  s_1 = 1,  s_i = r_1 … r_(i-1)          n = 12, radices 3x4
//
//     level 1, s = 1      0⇄1⇄2⇄3⇄4⇄5⇄6⇄7⇄8⇄9⇄10⇄11⇄0             1 round:  rank x is left in charge of blocks ≡ x mod 3
//     level 2, s = 3      0⇄3⇄6⇄9⇄0, 1⇄4⇄7⇄10⇄1, 2⇄5⇄8⇄11⇄2       2 rounds: of block x
//
// On level i rank y is in charge of the blocks b ≡ y (mod s). Block b is of class c = (b-y)/s modulo r, taken from
// -r/2 to r/2, and has to go c times s further. Classes walk as in a ring, h = floor(r/2) rounds, both ways at once:
//
//     round         0       1      …    h-1             the far class goes first; the next rank adds its own part of the
//     to y+s     class h   h-1     …     1              same blocks and sends them on. The class r/2 of an even r is as far
//     to y-s          -h  -(h-1)   …    -1              either way: its first half goes right, its second half left
//
// So a level takes M (r-1)/(r s) bytes from each rank. The lightpaths x -> x+s of all ranks cross every segment s
// times, from s consecutive ranks: colours x mod s keep them apart, and each is floor(w/s) wavelengths wide. A level
// with s > w is refused.
//
//     kind             rounds            bytes sent per rank    retunes (lightpaths that change)
//     all-reduce       2 sum floor(r/2)  2 M (n-1)/n            2k-1: the last level serves both halves
//     reduce-scatter   sum floor(r/2)    M (n-1)/n              k
//     all-gather       the mirror image: levels and rounds backwards, arrows turned round
//
// Where blocks lie. A round's class must be one run of slots, or a lightpath would carry several moves. All-reduce
// numbers blocks by their digits reversed, b mod r_1 slowest, so that a class (the leading digits known) is one run;
// a walk is cut where its digit wraps. Reduce-scatter, all-gather and a single level have block b at place b: a class
// is n/(s r) runs, one on the last level only, so that on wavelengths they take one level.
//
// papers/wrht.md 6.6. With radices 3x3x… it is a log3 n all-reduce on a bidirectional ring in the style of Trivance
// (arXiv 2602.17254); with n alone `bidirectional-ring` in half the rounds; with 2x2x… halving-doubling on
// circulants.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry circulant();

// The radices that are taken when none are given: the prime factors of n in increasing order, pairs of 2 as 4, as
// long as their product stays within the wavelengths (0: no limit); the last radix is the rest.
std::vector<Position> default_radices(Position ranks, int wavelengths);

}  // namespace helio::schedule
