// SPDX-License-Identifier: Apache-2.0
// Iterations of jobs for people: aligned lines, and the exposed time as bars. On a terminal (look.h) links and jobs have bars, too.
//
//     exposed      compute   41.2 ms   82.4 %  ################################
//                  dp         8.8 ms   17.6 %  #######
#pragma once

#include <string>
#include <vector>

#include "pipeline/iteration.h"
#include "report/text/look.h"

namespace helio::report {

std::string to_text(const pipeline::IterationResult& job, const Look& look = {});
// With several, an overview of their times at the end.
std::string to_text(const std::vector<pipeline::IterationResult>& jobs, const Look& look = {});

}  // namespace helio::report
