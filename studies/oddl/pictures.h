// SPDX-License-Identifier: Apache-2.0
// ODDL's slow layer in a picture: the story of examples/oddl_slices.toml, told to the slice planner. Nothing is moved: `helio slices --run` does.
#pragma once

#include <vector>

#include "report/figures/figure.h"

namespace helio::studies::oddl_study {

std::vector<report::Figure> pictures();

}  // namespace helio::studies::oddl_study
