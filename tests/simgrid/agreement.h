// SPDX-License-Identifier: Apache-2.0
// Two engines on one program: helio's here, SimGrid's in a process of its own, which reads the program as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "flow/program.h"
#include "second_opinion/replay.h"

namespace helio::second_opinion {

// What SimGrid says, in a child of this process. Throws std::runtime_error with the child's reason when it has no answer.
Answer ask(const flow::Program& program);

struct Agreement {
  double helio_s = 0, simgrid_s = 0;
  double worst = 0;  // largest relative difference, of the end and of all ends of entry operations
  std::uint64_t operations = 0, transfers = 0;
  std::string disagreement;  // "" when every end differs by at most 1e-6 of itself, or 1 ps per transfer
};

Agreement compare(const flow::Program& program);

}  // namespace helio::second_opinion
