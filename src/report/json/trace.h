// SPDX-License-Identifier: Apache-2.0
// Traces of results for chrome://tracing and Perfetto (Trace Event Format, "complete" events, times in microseconds).
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"

namespace helio::report {

// Of collectives, one process per result and depth and one thread per row; of jobs, one process each (job_trace.h). Jobs begin
// when the last collective has ended. Requires: the results were run with tracing.
std::string to_trace(const std::vector<pipeline::Result>& results,
                     const std::vector<pipeline::IterationResult>& jobs = {});

}  // namespace helio::report
