// SPDX-License-Identifier: Apache-2.0
// Which fabrics admit an algorithm that the fabric at hand does not: found by asking all of the catalogue, so that advice
// names what works and no room has to know another's names.
#pragma once

#include <string>
#include <vector>

#include "pipeline/experiment.h"

namespace helio::pipeline {

// "switch with fabric.reducers=1": fabrics that admit the algorithm for two ranks as they are, or with one parameter changed
// to a value that its description mentions. Empty when `fabric` itself does: then it was the size that was refused.
std::vector<std::string> fabrics_that_admit(const Choice& algorithm, schedule::Kind kind, const Choice& fabric);

}  // namespace helio::pipeline
