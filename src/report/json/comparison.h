// SPDX-License-Identifier: Apache-2.0
// One question on several networks, as a table and as JSON (docs/compare.md).
#pragma once

#include <string>
#include <vector>

#include "pipeline/compared/comparison.h"
#include "report/json/json_values.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_json(const pipeline::Comparison& comparison);
// Requires: somebody won.
std::string to_text(const pipeline::Comparison& comparison, const Look& look = {});

// One row of it.
Json candidate_json(const pipeline::Candidate& candidate);
// "each node injects 2.4 Tb/s; 50 ns a link, 2 us a step"
std::string in_words(const fabric::Footing& footing);

// Where the winner changes: "switching" and "steady" of an answer, a line of it, and both for people.
void add_switching(Json& json, const std::vector<pipeline::Switching>& switching,
                   const std::vector<std::string>& steady);
std::string in_words(const pipeline::Switching& at);
std::string switching_text(const std::vector<pipeline::Switching>& switching, const std::vector<std::string>& steady);

}  // namespace helio::report
