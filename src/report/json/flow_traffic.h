// SPDX-License-Identifier: Apache-2.0
// Flows of a trace on several fabrics, as text and as JSON (docs/flow-traces.md).
#pragma once

#include <string>

#include "pipeline/traced/flow_traffic.h"

namespace helio::report {

std::string to_json(const pipeline::FlowComparison& comparison);
std::string to_text(const pipeline::FlowComparison& comparison);

}  // namespace helio::report
