// SPDX-License-Identifier: Apache-2.0
// Why it took that long, in one sentence: which part of the critical path dominates, which resource is busiest, and what
// would help.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "flow/program.h"
#include "schedule/capabilities.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

// `bound_ratio` is time over lower bound: near 1, no other schedule can help.
std::string bottleneck_in_words(const simulate::Timeline& timeline, const flow::Program& program, double bound_ratio,
                                std::span<const schedule::Capabilities::Part> levels = {});

// What the exchanges of a critical path were spent on, largest part first: "transmission 97.3 %, control 2.7 %". Empty where nothing
// but computing took time.
std::string exchanges_in_words(const simulate::Split& path);

// Bytes over all links of the network together; `carried`: on each resource, where that is known already.
Bytes traffic_over_links(const flow::Program& program);
Bytes traffic_over_links(const flow::Program& program, const std::vector<double>& carried);

}  // namespace helio::pipeline
