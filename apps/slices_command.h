// SPDX-License-Identifier: Apache-2.0
// `helio slices EVENTS.toml`: what ODDL's slice planner answers to jobs that arrive, grow, lose nodes and leave.
#pragma once

#include <string>

namespace helio::apps {

// What is printed. A refusal is an answer. Throws Error(kInfeasible) for a refused event that says must = true, Error(kInput)
// at file:line:column for nodes that overlap or do not exist, a job larger than the fabric, a job that nobody admitted.
std::string slices(const std::string& path, bool json);

}  // namespace helio::apps
