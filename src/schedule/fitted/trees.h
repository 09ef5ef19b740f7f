// SPDX-License-Identifier: Apache-2.0
// A tree for every piece, so that together they load no link more than the tightest cut demands.
//
// Edmonds' theorem and edge splitting (ForestColl, arXiv 2402.06787) say that such trees exist in fractions. For pieces they are found the
// other way round: the trees are an integral packing whose oracle is the cheapest arborescence, with prices that grow exponentially in
// the load of a link (Plotkin, Shmoys and Tardos, 1995; Garg and Könemann, 2007):
//
//     price of an arc with load L for a piece that takes t on it      e^(A (L+t)/T) - e^(A L/T)        T: what the cut demands
//
// Switches need no splitting: a hop over them costs the sum of its arcs, each child of a rank a hop of its own, since switches do not copy.
// Piece after piece takes its tree, then each is taken up again and may choose better, with A growing from pass to pass, until the
// busiest link is within kEnough of T.
//
// Invariant: a tree spans all ranks, and `busiest` is the largest load in seconds, counted over all arcs of all hops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/quantity.h"
#include "schedule/fitted/hops.h"

namespace helio::schedule {

struct Tree {
  Position root = 0;
  std::vector<HopId> entering;  // by position; of the root nothing that counts
};

struct Trees {
  std::vector<Tree> trees;  // by piece
  double busiest = 0;       // seconds that the busiest link transmits
};

inline constexpr double kEnough = 0.005;

enum class Shape : std::uint8_t { kThrifty, kShallow };  // least load, or earliest arrival of each piece by itself

// `roots`: of each piece, all of which have `bytes`. `target`: T, in seconds. Requires: everybody can be reached.
Trees choose_trees(Hops& hops, std::span<const Position> roots, Bytes bytes, double target, Shape shape);

}  // namespace helio::schedule
