// SPDX-License-Identifier: Apache-2.0
// Verification that follows every slot of every rank at once, for any schedule: with Multiset exactly, with Fingerprint
// in 20 bytes a slot.
//
//     read all moves of the round  ──▶  write them, catching races  ──▶  next round  ──▶ … ──▶  compare with the demand
#pragma once

#include <string>

#include "schedule/value.h"

namespace helio::schedule {

// What is wrong, or "". Requires: fewer than 2^31 rounds.
template <class Value>
std::string fault_in_whole_state(const Schedule& schedule);

extern template std::string fault_in_whole_state<Multiset>(const Schedule&);
extern template std::string fault_in_whole_state<Fingerprint>(const Schedule&);

// Bytes that fault_in_whole_state<Fingerprint> keeps at most.
double fingerprint_memory(const Schedule& schedule);

}  // namespace helio::schedule
