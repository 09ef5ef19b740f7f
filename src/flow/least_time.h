// SPDX-License-Identifier: Apache-2.0
// No run of a program can end before this: found by counting, without simulating.
//
//   operation   as often as it repeats: overhead, latency, and its bytes at the rate that the narrowest link or channel of its route
//               has for it alone
//   template    the longest chain of operations that wait for each other; and, for every link and channel, what its transfers put
//               there over its rate, after the least overhead and latency of them
//   program     its entry; and, for every link and channel, what the whole program puts there over its rate
//
// Setups, waiting and decisions of controllers come on top. Where every round is held up by one link all along, as in symmetric
// exchanges, this is the time.
#pragma once

#include "flow/program.h"

namespace helio::flow {

// In seconds. Requires: check(program) passed.
double least_time(const Program& program);

}  // namespace helio::flow
