// SPDX-License-Identifier: Apache-2.0
// WRHT: all-reduce as a hierarchical tree on a bidirectional WDM ring whose groups all reuse the same wavelengths.
//
//     one level, groups of m = 5        λ1 ──────────▶┐        ┌◀────────── λ1
//                                            λ0 ─────▶┤        ├◀───── λ0
//                                       0        1        2        3        4    │  5     6     7     8     9    │ …
//                                                   representative               │       the same light again
//
// alive = all ranks in ring order. While more than one is alive: cut into consecutive groups of m, the last may be
// short; the middle one, index floor(len/2), is the representative; the k-th nearest member on either side sends it
// the whole vector on wavelength k-1, those on the left clockwise, those on the right counter-clockwise; the
// representatives stay alive. After the first level, as soon as those alive can all send to all in one step
// (ring_exchange.h), they do and are done. Then the levels are taken back, arrows turned round.
//
//     levels l, m = 2w+1        rounds  2l, or 2l+1 with the all-to-all        bytes on one lightpath  M in every round
//
// Groups are disjoint arcs and the sides of a group lie on different directions, so floor(m/2) wavelengths serve
// every level; with fewer, `stripe` consecutive ones carry each move. The vector is not cut: one slot.
//
// Dai, Chen, Huang, Zhang & Zhang 2022, "WRHT" (arXiv 2207.10982); the pseudo-code is that of papers/wrht.md, 2.2.
// One lightpath for each receiver of the broadcast is our reading, and so is striping (7.1).
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

AlgorithmEntry wrht();

// Rounds of the schedule that `wrht` builds. Requires: ranks >= 1, 2 <= group <= 2 * wavelengths + 1.
std::uint64_t wrht_steps(std::uint64_t ranks, std::uint64_t wavelengths, std::uint64_t group, bool shortcut = true);

}  // namespace helio::schedule
