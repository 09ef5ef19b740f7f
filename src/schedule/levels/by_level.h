// SPDX-License-Identifier: Apache-2.0
// Collectives on fabrics made of fabrics, level by level: for each level an algorithm of the catalogue, and together one schedule.
//
//     3 wafers (units) of 4 nodes, all-reduce of a vector in 4 × 3 slots
//
//     level 0, in every wafer      reduce-scatter    node i of a wafer has its wafer's sum of quarter i
//     level 1, among wafers        all-reduce        node i of all wafers have the sum of quarter i      (i = 0..3 at once)
//     level 0, in every wafer      all-gather        everybody has everything
//
//     wafer 0   a0 ─┐            a0 ┄┄┄┄┐                a0 ◀─┐
//               b0 ─┼─▶ sums     b0 ┄┄┄┐┊ quarter i      b0 ◀─┼─ all
//               c0 ─┤            c0 ┄┄┐┊┊ with quarter i c0 ◀─┤
//               d0 ─┘            d0 ┄┐┊┊┊ of wafers 1, 2 d0 ◀─┘
//
// A unit's part in an upper level is the whole vector, held by its nodes in equal parts: who holds what is settled below. With u units on a
// level, m nodes in a unit:
//
//     kind             from below to the top                        and back
//     all-reduce       reduce-scatter, …, all-reduce at the top     all-gather on each level
//     reduce-scatter   reduce-scatter on each level                 –
//     all-gather       –                                            all-gather on each level, the top first
//     all-to-all       all-to-all on each level: what is meant for node i of any unit goes to node i of one's own first
//     reduce           reduce to one node of each unit              –
//     broadcast        –                                            broadcast to one node of each unit, the top first
//
// Where the lowest fabric adds and copies in flight, and only some nodes of a unit reach the level above (its gateways), it adds up at those
// at once. Groups whose nodes lie unevenly in units go by one node of each: all-reduce is then reduce, all-reduce, broadcast. Reduce and
// broadcast may go by all nodes of a unit, too: the root hands each its block first, or takes it from there last.
//
// Where the highest level has room and the lowest binds, a share of an all-reduce (`above_first`) goes the other way around, so that both
// are as busy (levels/level_split.h), still in the same schedule:
//
//     most of the vector   reduce-scatter below     all-reduce above    all-gather below
//     the rest             reduce-scatter above     all-reduce below    all-gather above       (every node for itself, unsummed)
//     where it averages    all of it above, averaged twice (levels/averaged_twice.h)
//
// The vector may go in parts (`waves`) that follow each other, so that all levels are busy at the same time.
#pragma once

#include "schedule/algorithm.h"
#include "schedule/levels/level_tree.h"

namespace helio::schedule {

inline constexpr const char* kByLevel = "by-level";

AlgorithmEntry by_level();

}  // namespace helio::schedule
