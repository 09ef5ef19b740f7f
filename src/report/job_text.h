// SPDX-License-Identifier: Apache-2.0
// Iterations of jobs for people at a terminal: aligned lines, and the exposed time as bars.
//
//     exposed      compute   41.2 ms   82.4 %  ################################
//                  dp         8.8 ms   17.6 %  #######
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"

namespace helio::report {

std::string to_text(const pipeline::IterationResult& job);
// With several, an overview of their times at the end.
std::string to_text(const std::vector<pipeline::IterationResult>& jobs);

}  // namespace helio::report
