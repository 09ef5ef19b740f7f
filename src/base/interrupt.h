// SPDX-License-Identifier: Apache-2.0
// Somebody does not want to wait any longer: who asks a question in a process that lives on says so from a signal handler or another
// thread, and the loops that spend from a budget (base/budget.h) end with Interrupted at their next look at the clock, within
// milliseconds of work.
//
//     interrupt_requested = true;  ─▶  Budget::spend(…)  ─▶  throw Interrupted        until somebody sets it to false again
//
// Interrupted is no Error: who tries several things and takes an Error for "no" must not take this for one.
#pragma once

#include <atomic>

namespace helio {

struct Interrupted {};

// Of all questions of this process. A signal handler may set it.
inline std::atomic<bool> interrupt_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace helio
