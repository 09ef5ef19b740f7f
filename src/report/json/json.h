// SPDX-License-Identifier: Apache-2.0
// Results as JSON: the keys of DESIGN's interface contract, in snake_case, ending in their unit. Numbers are printed with
// as many digits as it takes to read the same double back.
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "pipeline/result.h"
#include "report/row.h"

namespace helio::report {

// One object on one or more lines, ending in a newline.
std::string to_json(const pipeline::Result& result);
// {"source", "time_s" and "bound_s" (sums: collectives run one after the other), "results": [...]}
std::string to_json(const std::vector<pipeline::Result>& results, const std::string& source);
// The same and "jobs": [...]; the sums then end in one iteration of the slowest job, since jobs run side by side.
std::string to_json(const std::vector<pipeline::Result>& results, const std::vector<pipeline::IterationResult>& jobs,
                    const std::string& source);
// {"rows": [...]}; "published" for what a paper says, "expected" for what we derive; the other is null.
std::string to_json(const std::vector<Row>& rows);
// The same on one line, each assumption once in a list of its own: rows have its place in the list.
std::string to_short_json(const std::vector<Row>& rows);

}  // namespace helio::report
