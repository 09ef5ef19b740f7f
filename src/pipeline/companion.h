// SPDX-License-Identifier: Apache-2.0
// Programs that come with helio and hold what it must not link: SimGrid, libtorch.
#pragma once

#include <string>

namespace helio::pipeline {

// What the environment's `variable` names, else `name` beside this executable, else on $PATH; "" when there is none. Throws
// Error(kInfeasible) where the variable names what cannot be run.
std::string find_companion(const std::string& name, const std::string& variable, const std::string& place = {});

}  // namespace helio::pipeline
