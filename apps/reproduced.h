// SPDX-License-Identifier: Apache-2.0
// Studies side by side, as many at a time as there are processors, with a progress bar.
#pragma once

#include <string>
#include <vector>

#include "studies/catalogue.h"

namespace helio::apps {

// Of one study, or of "all", in the order of their catalogue. Throws what the first of them throws.
std::vector<report::Study> reproduced(const std::string& study);

}  // namespace helio::apps
