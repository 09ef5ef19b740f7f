// SPDX-License-Identifier: Apache-2.0
// Studies side by side, as many at a time as there are processors.
#pragma once

#include <string>
#include <vector>

#include "ask/front_end.h"
#include "studies/catalogue.h"

namespace helio::ask {

// Of one study, or of "all", in the order of their catalogue. Throws what the first of them throws. `watch` is told by several threads.
// `job_log`: for studies of jobs, in place of those that are generated.
std::vector<report::Study> reproduce(const std::string& study, const Watch& watch = {},
                                     const std::string& job_log = {});

}  // namespace helio::ask
