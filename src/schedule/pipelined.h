// SPDX-License-Identifier: Apache-2.0
// Pipelining: the vector in pieces that follow each other through the rounds of a schedule, so that its stages, which use
// different links, are busy at the same time.
//
//     base, R = 4 rounds        0    1    2    3          pieces = 3: one phase of R - 1 + pieces = 6 rounds
//     (rows, then columns)     row  row  col  col
//
//     round          0      1      2      3      4      5
//     piece 0       row    row    col    col
//     piece 1              row    row    col    col
//     piece 2                     row    row    col    col
//                                 └──────┘ from round R-1 on all R stages are at work, each on a piece of its own
//
// Round k of the base, counted over all its phases, becomes moves that are active in rounds [k, k + pieces): in round t
// piece t-k is in stage k. A full round takes as long as the busiest link needs for all R stages of one piece, so the whole
// tends to (1 + (R-1)/pieces) times the load of the busiest link, where the base takes the sum over its rounds of the
// busiest link of each; but each of the R - 1 + pieces rounds pays its latency and overhead.
//
// Where piece i of slot s lies: blocks of w slots of the base are cut alike, and the pieces of a block lie side by side,
//
//     slot' = (s / w) * w * pieces + i * w + s mod w         base block b │0 1 2│   →   │0 1 2│0 1 2│0 1 2│
//                                                                          w = 3        piece 0   1     2
//
// w is the block of one rank where the kind is rank-indexed, so that block b stays block b, and the whole vector elsewhere.
// The slot of a move advances by w from round to round, in every buffer. A move over several blocks, or around the end of its
// buffer, is cut into one move per block.
//
// papers/fred.md 2.5 and 6.1: "hierarchical 2-D in two opposite chunks, finely pipelined" is `dimension-ordered` in pieces.
#pragma once

#include <string>

#include "schedule/algorithm.h"

namespace helio::schedule {

// The schedule in that many pieces; with one, itself. It claims its pieces (Schedule::pieces).
// Throws Error(kInfeasible) where slots, rounds or moves would be too many.
// Requires: check(base) passed, base.pieces == 1.
Schedule pipelined(const Schedule& base, std::uint32_t pieces);

// The algorithm with a parameter `pieces`.
AlgorithmEntry pipelined(AlgorithmEntry entry);

// Why a schedule is not what `pipelined` makes of its first piece, or "". Checked on every move, in time proportional to
// their number: each is active for `pieces` rounds and starts in piece 0 of a block on both sides, and its slot advances by
// a piece each round. Then in its i-th round a move touches slots of piece i alone, so pieces never meet; and what happens
// to piece i is what happens to piece 0, i rounds later and i*w slots further on. Before and after, the rank that a slot
// belongs to does not depend on its piece. So the first piece speaks for all.
std::string pieces_fault(const Schedule& schedule);

// The schedule of the first piece alone: a phase for each stage.
// Requires: check(schedule) passed, pieces_fault(schedule) is "".
Schedule first_piece(const Schedule& schedule);

}  // namespace helio::schedule
