// SPDX-License-Identifier: Apache-2.0
// Two-level: halving and doubling inside groups, where partners are near, and rings across, where neighbours matter.
//
//     group 0         group 1         group 2         n = 12, groups of m = 4, G = n/m = 3
//     0 ═══ 1         4 ═══ 5         8 ═══ 9
//     ║  ×  ║         ║  ×  ║         ║  ×  ║         1  reduce-scatter by halving inside: member l has block l
//     3 ═══ 2         7 ═══ 6        11 ═══ 10        2  ring all-reduce of block l across, by all members l
//     │               │               │               3  all-gather by doubling inside
//     └── 0 ▶ 4 ▶ 8 ▶ 0, 1 ▶ 5 ▶ 9 ▶ 1, … ──┘
//
// Groups are consecutive positions and may be of any size: hypercube or circulant (halving_doubling.h). With L =
// ceil(log2 m):
//
//     kind             rounds          bytes sent per rank
//     all-reduce       2 L + 2(G-1)    2 M (n-1)/n, of them 2 M (G-1)/n to other groups
//     reduce-scatter   L + G-1         M (n-1)/n, of them M (G-1)/n to other groups
//     all-gather       L + G-1         the same
//
// Jia et al. 2018 for the levels (hierarchical_ring.h), Rabenseifner 2004 for the lower one: "Optimization of
// collective reduction operations".
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry two_level();

}  // namespace helio::schedule
