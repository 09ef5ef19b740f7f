// SPDX-License-Identifier: Apache-2.0
// Binary tree: the whole vector up a tree that doubles its reach in every step, and down again.
//
//     n = 8, root 0          0                  broadcast   step 1   0 ─▶ 4
//                     ┌──────┼──┐                           step 2   0 ─▶ 2   4 ─▶ 6
//                     4      2  1                           step 3   0 ─▶ 1   2 ─▶ 3   4 ─▶ 5   6 ─▶ 7
//                   ┌─┴─┐    │
//                   6   5    3                  reduce is the mirror, all-reduce is reduce and then broadcast
//                   │
//                   7
//
// The tree is the binomial one, because it is what ceil(log2 n) steps with one send per rank and step make: the
// strictly binary tree has each rank send to two children at once. In relation to the root, a rank whose distance from
// it ends in j zero bits has j children. With L = ceil(log2 n) and the vector in K pieces (`chunks`, by default 1):
//
//     kind          rounds        bytes sent by the busiest rank, the root or the rank with most children
//     all-reduce    K + 2L - 1    L M (all others at most L M)
//     reduce        K + L - 1     M (the root: 0)
//     broadcast     K + L - 1     L M
//
// With K = 1 a step moves M bytes on one link of each rank. Pieces pay where a rank has many links (full-mesh, a
// torus): there the children are served side by side. Behind one port they do not, because the root sends L M all the
// same: double-binary-tree.
//
// Thakur, Rabenseifner & Gropp 2005, "Optimization of collective communication operations in MPICH": broadcast and
// reduce of short vectors.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry binary_tree();

}  // namespace helio::schedule
