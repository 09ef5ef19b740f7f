// SPDX-License-Identifier: Apache-2.0
// What jobs did on their slices, for people and for programs (docs/oddl-slices.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipeline/slice_runs.h"

namespace helio::apps {

std::string runs_in_text(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs);

// What --prove found out about one job, a sentence each: whether others felt it, and what that is worth.
std::vector<std::string> isolation_in_words(const pipeline::JobRuns& job);

// Keys: jobs, end_s, control_messages, assumptions.
nlohmann::ordered_json runs_in_json(const pipeline::SliceQuestion& question, const pipeline::SliceRuns& runs);

}  // namespace helio::apps
