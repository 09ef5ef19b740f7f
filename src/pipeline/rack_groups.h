// SPDX-License-Identifier: Apache-2.0
// Do the racks of a fat-tree hold whole groups of the ranks that share layers? The smallest tree for 512 nodes has k = 14 and racks of 7:
// groups of 8 lie across them, and what they exchange goes up and down again.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/experiment.h"

namespace helio::pipeline {

// The smallest k whose racks hold whole groups, where k was not given and those of the smallest tree do not.
std::optional<std::uint32_t> k_for_groups(const Choice& fabric, long long group);

}  // namespace helio::pipeline
