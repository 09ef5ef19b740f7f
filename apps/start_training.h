// SPDX-License-Identifier: Apache-2.0
// helio links no libtorch: what trains is the program helio-train, which takes the place of this one.
#pragma once

#include <string>
#include <vector>

namespace helio::apps {

// Runs helio-train with these words. `place` is what was asked for ("helio train"), and what helio-train then calls itself. Throws
// Error(kInfeasible) where it is not there.
[[noreturn]] void start_training(std::vector<std::string> words, const std::string& place);

}  // namespace helio::apps
