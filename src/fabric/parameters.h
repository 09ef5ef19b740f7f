// SPDX-License-Identifier: Apache-2.0
// Parameters that many fabrics share, described once (the contract's names and meanings).
#pragma once

#include <string>
#include <vector>

#include "base/catalogue.h"

namespace helio::fabric {

// `example` is a question in which the fabric works, without the parameter: "all-reduce fabric=ring nodes=8 …".
Parameter nodes_parameter(const std::string& example, const std::string& most, const std::string& other = "12");
Parameter rate_parameter(const std::string& example, const std::string& meaning);
Parameter latency_parameter(const std::string& example, const std::string& fallback, const std::string& meaning);
Parameter step_overhead_parameter(const std::string& example);
Parameter seed_parameter(const std::string& example, const std::string& meaning);

// Parameters of one fabric alone. An empty `fallback` makes it optional.
Parameter named(std::string name, ParameterType type, std::string fallback, std::string description, Situation matters);
Parameter bounded(Parameter parameter, std::string least, std::string most, bool above = false);
Parameter count(std::string name, std::string fallback, std::string least, std::string most, std::string description,
                Situation matters);
Parameter choice(std::string name, std::vector<std::string> choices, std::string fallback, std::string description,
                 Situation matters);

}  // namespace helio::fabric
