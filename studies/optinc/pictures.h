// SPDX-License-Identifier: Apache-2.0
// Networks that average, in pictures: the meshes of the cheapest exact one that was found, and of the first layer of the trained one whose layers
// are blocks; with the phase errors of one chip.
#pragma once

#include <vector>

#include "report/figures/figure.h"

namespace helio::studies::optinc_study {

std::vector<report::Figure> pictures();

}  // namespace helio::studies::optinc_study
