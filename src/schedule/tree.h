// SPDX-License-Identifier: Apache-2.0
// Sums climb a tree and results come down it, in pieces that follow each other.
//
// An edge has a level: the step of a plain broadcast in which it is used, counted from the top. The edges below a rank
// have higher levels than the one above it. In a tree of H levels and with the vector in K pieces, piece i
//
//     climbs an edge of level v in round H-1-v + i,     and comes down in round v + i, in all-reduce H later:
//
//     all-reduce, H = 2, K = 3       round  0  1  2  3  4  5
//     level 1, up                           0  1  2                 reduce, broadcast: K+H-1 rounds
//     level 0, up                              0  1  2              all-reduce: K+2H-1, up and down overlap
//     level 0, down                               0  1  2
//     level 1, down                                  0  1  2
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace helio::schedule {

struct TreeEdge {
  Position parent = 0, child = 0;
  std::uint32_t level = 0;
};

struct Tree {
  std::vector<TreeEdge> edges;  // n-1 of them
  std::uint32_t levels = 0;     // H
};

// The binomial tree over n ranks: at level v whoever has it passes it on over a distance of 2^(H-1-v), H = ceil(log2
// n).
Tree binomial_tree(Position ranks, Position root);

// One phase in which tree t carries pieces [t*pieces, (t+1)*pieces) for the kind of the schedule: broadcast, reduce or
// all-reduce.
Phase climb(const Schedule& shape, const std::vector<Tree>& trees, std::uint32_t pieces);

}  // namespace helio::schedule
