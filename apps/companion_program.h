// SPDX-License-Identifier: Apache-2.0
// Programs that take the place of helio: they hold what it must not link.
#pragma once

#include <string>
#include <vector>

namespace helio::apps {

struct CompanionProgram {
  std::string name, variable;  // "helio-train"; "HELIO_TRAIN": of the environment, where it lies
  std::string what, install;   // "training", "install libtorch-dev and build again"
};

inline const CompanionProgram kExecution{"helio-execute", "HELIO_EXECUTE", "running on real ranks",
                                         "install libopenmpi-dev and build again"};

// Runs it in place of this program. `place`: what people typed, and what it calls itself. Throws Error(kInfeasible) where it is not there.
[[noreturn]] void become(const CompanionProgram& program, std::vector<std::string> words, const std::string& place);

}  // namespace helio::apps
