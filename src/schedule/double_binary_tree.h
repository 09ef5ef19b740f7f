// SPDX-License-Identifier: Apache-2.0
// Double binary tree: two trees with half the vector each, inner ranks of the one being leaves of the other.
//
//     n = 8, root 0 on top of both; the other n-1 ranks, by their distance from it, stand in order from left to right:
//
//     first       0                            second      0
//                 │                                        │
//                 4                                        5             odd n-1: turned on by one, so that
//               ┌─┴───┐                                 ┌──┴──┐          rank 1 is a leaf twice;
//               2     6                                 3     7          even n-1: mirrored
//              ┌┴┐   ┌┴┐                              ┌─┴┐   ┌┴┐
//              1 3   5 7                              2  4   6 1
//
// In the first tree rank v > 0 ends in z zero bits and has its children 2^(z-1) before and after it; odd ones are
// leaves. Where the child after would be beyond the last rank it comes nearer by halves until it is one, or there is
// none. A parent serves both children at once, so all ranks together send as much as they receive in every round: in
// broadcast an inner rank sends two pieces in its tree and receives one in each. H is the number of levels, at most
// ceil(log2 n), and each tree has K pieces (`chunks`):
//
//     kind          rounds        bytes sent by the busiest rank
//     all-reduce    K + 2H - 1    2 M       up and down overlap
//     reduce        K + H - 1     M
//     broadcast     K + H - 1     M
//
// Twice as good as one binary tree, near the bytes of a ring at the steps of a tree. `chunks` left unset minimises
// (K+H'-1)(a + t/K), with H' the levels on the way (2H for all-reduce), a the cost of starting a round and t the time
// that all of a tree's rounds keep the busiest link or port.
//
// Sanders, Speck & Träff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", which colours
// the edges so that a rank sends one piece at a time: half as much per round, twice the rounds. The trees are those of
// NCCL (src/graph/trees.cc), with one root.
#pragma once

#include "schedule/algorithm.h"
#include "schedule/tree.h"

namespace helio::schedule {

AlgorithmEntry double_binary_tree();

// The two trees.
std::vector<Tree> two_trees(Position ranks, Position root);

}  // namespace helio::schedule
