// SPDX-License-Identifier: Apache-2.0
// What a run takes of its network: bits that passed each line of the fabric's bill, and the time that all of it was on (fabric/bill.h).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pipeline/assembly.h"
#include "pipeline/result.h"

namespace helio::pipeline {

// By line of the fabric's bill. Requires: all is lowered, and the program has its entry.
std::vector<double> bits_passed(Assembly& assembly);

// `known_better`: than in the catalogue of parts. `level`: of a composite, that level alone; none: all of it.
NetworkEnergy network_energy(const fabric::Fabric& fabric, std::span<const double> bits, double seconds,
                             const Settings& known_better, std::optional<std::string_view> level = {});

}  // namespace helio::pipeline
