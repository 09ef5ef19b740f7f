// SPDX-License-Identifier: Apache-2.0
// When each piece takes each hop of its tree: list scheduling, the longest way still to go first, or all roots' pieces in turn.
//
//     hop   │ piece 3 │ piece 7 │ piece 1 │ …       one piece after the other, as long as there is one that has come this far
//
// Hops that share an arc divide its rate as the trees do, so that each is a line of its own: a piece takes an arc for as long as all loads
// of the arc over the pieces of the hop. Latencies come on top, and are hidden by a second queue of the hop where they are worth it. With trees that load no arc beyond T and D
// hops of the longest, such a timetable ends near T + D pieces (Leighton, Maggs and Rao, "Packet routing and job-shop scheduling in
// O(congestion + dilation) steps", Combinatorica 14, 1994). The engine, not this timetable, says how long it takes: only its order is kept.
//
// Who has the longest way first may keep a link of the cut waiting, because what it shall carry has shorter ways and comes late. Pieces in turn,
// those of each tree spread evenly over all of its root's, fill every link at all times as trees do in the mean, and are through a little later.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/fitted/trees.h"

namespace helio::schedule {

struct Departure {
  double at = 0;            // seconds
  std::uint32_t piece = 0;  // index of its tree
  HopId hop = 0;
};

inline constexpr std::uint32_t kMostQueues = 4;  // of a hop

struct Timetable {
  std::vector<Departure> departures;  // by time
  std::vector<std::uint32_t> queues;  // by hop: that wait in turn
  double end = 0;                     // seconds
};

// Who goes first where several are ready: the longest way still to go, or who comes first in the order of turns.
enum class Precedence : std::uint8_t { kLongest, kInTurn };

// `overhead`: of each piece before it leaves.
Timetable timetable_of(const Hops& hops, const std::vector<Tree>& trees, Bytes piece, Time overhead,
                       Precedence precedence);

}  // namespace helio::schedule
