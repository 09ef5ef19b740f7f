// SPDX-License-Identifier: Apache-2.0
// Verification that follows runs of slots: those that no move of a phase tells apart are one.
//
// A hierarchical all-reduce cuts the vector finer on its way up and puts it together again on its way down:
//
//     phase        reduce-scatter 1   reduce-scatter 2   all-gather 2   all-gather 1
//     cuts         │       │      │   │ │ │ │ │ │ │ │   │ │ │ │ │ │ │  │      │      │
//
// So a run is cut only while phases do: each piece is followed through that stretch of phases alone, and when all pieces have
// left the same values in all ranks, which a proof by rank (not by slot) can tell, they are one run again. The work is that of
// the pieces' own touches; slot by slot it would be that of every slot through every phase. Where pieces differ at the end of a
// stretch the method does not apply, and says so.
//
// A value is a fingerprint over ranks (verify.h): slots do not mix, so a run needs only one set of inputs. The states of two
// pieces are compared by sums of two hashes of (rank, value) over the ranks that changed; two that differ pass as equal with
// probability below 2^-60.
#pragma once

#include <optional>
#include <string>

#include "schedule/schedule.h"

namespace helio::schedule {

// Moves times rounds, which are held at once; more are refused.
inline constexpr double kMostIntervalTouches = 3e8;

// Whether it may be tried: all-reduce that works in place, moves that keep slots and lie in one piece, and no in-fabric moves.
bool intervals_apply(const Schedule& schedule);

// What is wrong, or "" for a proof; nothing where pieces cannot be put together again. Requires: intervals_apply(schedule).
std::optional<std::string> fault_in_intervals(const Schedule& schedule);

}  // namespace helio::schedule
