// SPDX-License-Identifier: Apache-2.0
// One job's iteration as a JSON object; docs/results.md lists the keys.
#pragma once

#include "pipeline/iteration.h"
#include "report/json/json_values.h"

namespace helio::report {

Json job_object(const pipeline::IterationResult& job);

}  // namespace helio::report
