// SPDX-License-Identifier: Apache-2.0
// A mixture of experts' traffic on one fabric, or on several side by side, as text and as JSON (docs/traffic.md).
#pragma once

#include <string>

#include "pipeline/traffic_comparison.h"

namespace helio::report {

std::string to_json(const pipeline::TrafficResult& result);
std::string to_json(const pipeline::TrafficComparison& comparison);
std::string to_text(const pipeline::TrafficResult& result);
// Requires: one of the fabrics carried it.
std::string to_text(const pipeline::TrafficComparison& comparison);

}  // namespace helio::report
