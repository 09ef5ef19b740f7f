// SPDX-License-Identifier: Apache-2.0
// Direct: whoever has something for somebody sends it there, all at once.
//
//       0 ◀──▶ 1        reduce-scatter: q sends block r to r, which adds all that arrives; all-gather: r sends block r
//       ▲ ╲  ╱ ▲        to everybody; all-to-all: p sends block q to q, which stores it as block p of `output`.
//       │  ╳   │
//       ▼ ╱  ╲ ▼        The moves of one distance d, p ──▶ p+d for all p, stand together.
//       3 ◀──▶ 2
//
//     kind             rounds   bytes sent per rank     moves
//     all-reduce       2        2 M (n-1)/n             2n(n-1)
//     reduce-scatter   1        M (n-1)/n               n(n-1)
//     all-gather       1        M (n-1)/n               n(n-1)
//     broadcast        1        M (n-1) by the root     n-1
//     reduce           1        M, none by the root     n-1
//     all-to-all       1        M (n-1)/n               n(n-1)
//
// Thakur, Rabenseifner & Gropp 2005: what their pairwise exchanges do in n-1 steps, in one.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry direct();

}  // namespace helio::schedule
