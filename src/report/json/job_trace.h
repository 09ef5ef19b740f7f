// SPDX-License-Identifier: Apache-2.0
// The bars of one job: a process with a thread for each row, and for what goes on beside a row one more.
//
//     stage 0, replica 0          ├ forward 0 ┤├ forward 1 ┤           ├ backward 0 ┤
//     stage 0, replica 0, sends               ├ send 0 ┤  ├ send 1 ┤
//     gradients of stage 0                                                          ├ reduce gradients 0 ┤
//
// Invariant: bars of one thread do not overlap. Where a row has bars that would, they go to further threads of its name.
#pragma once

#include <string_view>

#include "pipeline/iteration.h"
#include "report/json/trace_writer.h"

namespace helio::report {

inline constexpr std::string_view kTraceCut = "trace was cut here: too many events";

// `origin` is when the job begins on the trace's clock.
void add_job(TraceWriter& writer, const pipeline::IterationResult& job, Time origin);

}  // namespace helio::report
