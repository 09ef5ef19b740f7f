// SPDX-License-Identifier: Apache-2.0
// Why it took that long, in one sentence: which part of the critical path dominates, which resource is busiest, and what
// would help.
#pragma once

#include <string>

#include "flow/program.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

// `bound_ratio` is time over lower bound: near 1, no other schedule can help.
std::string bottleneck_in_words(const simulate::Timeline& timeline, const flow::Program& program, double bound_ratio);

}  // namespace helio::pipeline
