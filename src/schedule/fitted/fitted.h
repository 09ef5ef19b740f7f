// SPDX-License-Identifier: Apache-2.0
// `fitted`: a schedule made for the very network, at the throughput of its tightest cut (docs/fitted.md).
//
//     network ─▶ tightest cut ─▶ a tree for each piece ─▶ timetable ─▶ rounds, queues and ways of a Schedule
//     (asked of   tightest_cut.h   trees.h, hops.h,         timetable.h
//     the fabric)                  arborescence.h
//
// All-gather and broadcast go down the trees. Reduce-scatter and reduce are the same on the network with every arc turned round, backwards.
// All-reduce is a reduce-scatter and an all-gather, the blocks of which follow each other as they come.
//
// Invariant: order is dataflow; moves of one hop are one or two queues in the order of the timetable, so that a link serves few pieces at a
// time; and ways that the fabric would not take by itself are in Schedule::ways.
#pragma once

#include "schedule/algorithm.h"

namespace helio::schedule {

inline constexpr std::string_view kFitted = "fitted";

// Whether one group of all nodes may be fitted by the trees of one root and their translates, which takes little: a ring or a torus.
bool may_look_the_same(Kind kind, const Capabilities& capabilities);

AlgorithmEntry fitted();

}  // namespace helio::schedule
