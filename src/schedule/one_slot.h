// SPDX-License-Identifier: Apache-2.0
// Verification that follows one slot through all ranks, in O(ranks) memory and without walking the rounds.
//
// Where moves keep slots, slot s of a result depends on slot s alone. The rounds in which a move touches s solve a linear
// congruence, so a phase of n moves and n-1 rounds is n solutions, sorted by round:
//
//     slots of a move:  first + stride*t + d,  0 <= d < count,  t = 0, 1, …        touches s when
//     stride*t  ≡  s - first - d   (mod size)
//
// With g = gcd(stride, size) only every g-th d has a solution, t ≡ (s-first-d)/g * (stride/g)^-1  (mod size/g).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/value.h"

namespace helio::schedule {

// Appends the rounds of its phase in which `move` touches `slot` of a buffer of `size` slots, each once, in any order.
void append_rounds_touching(const Move& move, Window active, std::uint32_t size, std::uint32_t slot,
                            std::vector<std::uint32_t>& rounds);

// Touches of one slot in one phase that are held at once; a schedule with more is not followed slot by slot.
inline constexpr double kMostTouches = 64e6;

// A bound on them, exact where moves stay. Requires: keeps_slots(schedule).
double touches_of_a_slot(const Schedule& schedule);

// Follows slots [first, last) one after the other; what is wrong, or "".
// Requires: keeps_slots(schedule), touches_of_a_slot(schedule) <= kMostTouches.
std::string fault_in_slots(const Schedule& schedule, std::uint32_t first, std::uint32_t last);

}  // namespace helio::schedule
