// SPDX-License-Identifier: Apache-2.0
// Values that the objects of collectives and of jobs share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/quantity.h"
#include "pipeline/result.h"

namespace helio::report {

using Json = nlohmann::ordered_json;

// Whole numbers, such as byte counts, without a trailing ".0".
Json number(double value);
// energy_dynamic_j, energy_static_j and what is known about both.
Json network(const pipeline::NetworkEnergy& energy);
// {"channels": 64, "isolation": "physical", …}
Json told(const Facts& facts);
// [{"remedy": "none", "outcome": "refused", "reason": …}, …]
Json tried(const std::vector<pipeline::Attempt>& attempts);
// {"fabric": {"nodes": "8", …}, …}
Json configured(const std::vector<pipeline::Configuration>& configuration);

}  // namespace helio::report
