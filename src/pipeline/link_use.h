// SPDX-License-Identifier: Apache-2.0
// How full the links of a fabric were in a run of jobs: by class of links, and by level of a composite.
#pragma once

#include <span>
#include <vector>

#include "pipeline/assembly.h"
#include "pipeline/iteration.h"
#include "simulate/timeline.h"

namespace helio::pipeline {

std::vector<LinkClass> link_classes(const simulate::Timeline& timeline, const flow::Program& program);

// Of a composite, the lowest first, without exposed_s, and with the energy of the whole run; elsewhere none. `carried`: bytes on each
// resource; `bits` passed each line of the fabric's bill (energy.h).
std::vector<LevelResult> level_results(Assembly& assembly, const simulate::Timeline& timeline,
                                       const std::vector<double>& carried, std::span<const double> bits,
                                       const Settings& known_better);

}  // namespace helio::pipeline
