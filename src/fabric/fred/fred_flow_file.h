// SPDX-License-Identifier: Apache-2.0
// Flows through a FRED switch as a JSON file (docs/fred.md): [{"inputs": [0, 1], "outputs": [2]}, …].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fabric/fred/fred_obstacle.h"

namespace helio::fabric {

// Throws Error(kInput) at "source:line:column" or "source: [1].inputs[0]". Whether a switch has the ports is not asked.
std::vector<Flow> parse_flows(std::string_view text, const std::string& source);

}  // namespace helio::fabric
