// SPDX-License-Identifier: Apache-2.0
// Hierarchical ring: rings inside groups, and between groups a ring for each block that their members ended with.
//
//     group 0        group 1        group 2          n = 12, groups of m = 4, G = n/m = 3
//    ┌0 ▶ 1┐        ┌4 ▶ 5┐        ┌8 ▶ 9┐
//    ▲     ▼        ▲     ▼        ▲      ▼          1  reduce-scatter inside: member l has block l of m
//    └3 ◀ 2┘        └7 ◀ 6┘        └11 ◀ 10┘         2  all-reduce of block l across, by all members l
//     │              │              │                3  all-gather inside
//     └─ 0 ▶ 4 ▶ 8 ▶ 0, 1 ▶ 5 ▶ 9 ▶ 1, … ─┘
//
//     kind             rounds             bytes sent per rank
//     all-reduce       2(m-1) + 2(G-1)    2 M (n-1)/n, of them 2 M (G-1)/n to other groups
//     reduce-scatter   m-1 + G-1          M (n-1)/n, of them M (G-1)/n to other groups
//     all-gather       m-1 + G-1          the same
//
// As few bytes as a ring, in about 4 sqrt(n) steps instead of 2n, and only 1/m of them leave a group. The groups are
// consecutive positions. In reduce-scatter and all-gather a block of a group is one slot in each of G blocks of the
// vector, G moves at once.
//
// Jia et al. 2018, "Highly scalable deep learning training system with mixed-precision", whose groups reduce to a
// master and broadcast from it: 4(m-1) + 2(G-1) steps. Here each member is the master of one block, as on the torus of
// Mikami et al. 2018, "ImageNet/ResNet-50 training in 224 seconds": fewer steps, and no rank idles.
#pragma once

#include "schedule/algorithm.h"
#include "schedule/lattice.h"

namespace helio::schedule {

AlgorithmEntry hierarchical_ring();

// The declaration of `group`, m above, and its value. Unset: as many as sit side by side in one instance of the fabric's
// first part (a server) where that is the same number all along; else the least divisor of n from sqrt(n) on.
// Throws Error(kInfeasible) with the legal values where it does not divide n.
Parameter group_parameter(std::string_view algorithm);
Position ranks_per_group(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters);

// Members of a group along the first axis, groups along the second; an axis of one rank is left out.
Lattice lattice_of_groups(Position ranks, Position members);

}  // namespace helio::schedule
