// SPDX-License-Identifier: Apache-2.0
// A result's trace for chrome://tracing and Perfetto (Trace Event Format, "complete" events, times in microseconds).
#pragma once

#include <string>
#include <vector>

#include "pipeline/result.h"

namespace helio::report {

// One process per result and depth, one thread per row. Requires: the results were run with tracing.
std::string to_trace(const std::vector<pipeline::Result>& results);

}  // namespace helio::report
