// SPDX-License-Identifier: Apache-2.0
// Jobs of a log on several fabrics, as text and as JSON (docs/job-logs.md).
#pragma once

#include <string>

#include "pipeline/traced/job_stream.h"

namespace helio::report {

std::string to_json(const pipeline::StreamComparison& comparison);
std::string to_text(const pipeline::StreamComparison& comparison);

}  // namespace helio::report
