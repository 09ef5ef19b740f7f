// SPDX-License-Identifier: Apache-2.0
// Ring reduce-scatter and all-gather along the axes of a lattice, all shares of the vector at once.
//
// Along an axis the ranks that agree in all other coordinates are a ring, and blocks walk around it as in `ring`
// (ring.h). The ranks of a folded axis stand on a line; their ring goes out over the even ranks and comes back over the
// odd ones, so that no neighbour is more than two hops away and every link carries one block each way at a time:
//
//       ┌──────┐┌──────┐┌───┐
//       0   1   2   3   4   5        0 → 2 → 4 → 5 → 3 → 1 → 0
//       └───┘└──────┘└──────┘
//
// A share spends X-1 rounds on an axis of extent X, whatever the others do: phases are cut where one of them changes
// axis.
//
//     extents 4 and 3      rounds   0  1  2  3  4          phases
//     share 0                       axis 0   axis 1        [0, 2) [2, 3) [3, 5)
//     share 1                       axis 1   axis 0
//
// Slots walk modulo the buffer. Where a share is a part of it, a walk jumps back once at the end of its range, and
// folds jump where they turn: there a move ends and another begins in the same phase.
#pragma once

#include <span>

#include "schedule/lattice.h"

namespace helio::schedule {

// Stages [first_stage, …) of every share: onwards with kReduce, backwards with kStore.
// Requires: the shares have equally many rounds to go.
std::vector<Phase> walk_axes(const Lattice& lattice, std::span<const Share> shares, Action action, std::uint32_t chunks,
                             std::size_t first_stage = 0);

}  // namespace helio::schedule
