// SPDX-License-Identifier: Apache-2.0
// A story of slices as text and as JSON (docs/oddl-slices.md).
#pragma once

#include <string>
#include <vector>

#include "pipeline/slice_story.h"

namespace helio::report {

std::string to_json(const pipeline::SliceTold& told);
std::string to_text(const pipeline::SliceTold& told);

// What a proof found out about one job, a sentence each: whether others felt it, and what that is worth.
std::vector<std::string> isolation_in_words(const pipeline::JobRuns& job);

// "0-31,64": runs of neighbours as one.
std::string in_runs(const std::vector<NodeId>& nodes);

}  // namespace helio::report
