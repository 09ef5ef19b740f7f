// SPDX-License-Identifier: Apache-2.0
// Whether a claimed symmetry is true of every move, in time proportional to the moves.
//
// With shift k the claim maps rank p to p+k (rotation, modulo n) or p xor k, and block b of slots the same way. It is true
// when each run of n moves of a phase is its first move under the shifts 0..n-1. Then the whole schedule is mapped to
// itself, so what happens in slot s happens, shifted, in every slot of its orbit {s, s + chunks/n, …}: one slot of each
// orbit, s in [0, chunks/n), speaks for all.
#pragma once

#include <string>

#include "schedule/schedule.h"

namespace helio::schedule {

// Whether every move leaves a value in the slot it came from, between buffers of `chunks` slots, so that slots do not mix.
bool keeps_slots(const Schedule& schedule);

// Why the schedule's claim may not be relied on, or "". Requires: keeps_slots(schedule).
std::string symmetry_fault(const Schedule& schedule);

}  // namespace helio::schedule
