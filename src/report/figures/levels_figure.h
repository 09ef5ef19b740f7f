// SPDX-License-Identifier: Apache-2.0
// A composite as it ran: levels, instances and gateways, which classes of traffic each level carries, how full its links are (drawn by
// web/levels.js).
#pragma once

#include <vector>

#include "fabric/composite/levels_picture.h"
#include "pipeline/result.h"
#include "report/figures/figure.h"

namespace helio::report {

// Requires: a use for each level.
Figure levels_figure(const fabric::LevelsPicture& composite, const std::vector<pipeline::LevelUse>& uses);

}  // namespace helio::report
