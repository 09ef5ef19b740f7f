// SPDX-License-Identifier: Apache-2.0
// A Timeline as bars that a person can look at: names instead of indices, rows in which nothing overlaps.
#pragma once

#include <vector>

#include "flow/program.h"
#include "pipeline/level_meter.h"
#include "pipeline/result.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

// Bars in order of depth, then start. `meter`: of a composite, whose transfers know their level then.
std::vector<TraceEvent> trace_of(const simulate::Timeline& timeline, const flow::Program& program,
                                 const LevelMeter* meter = nullptr);

}  // namespace helio::pipeline
