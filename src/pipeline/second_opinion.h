// SPDX-License-Identifier: Apache-2.0
// The second opinion: SimGrid's word on a flow program, from helio-simgrid, a process of its own (docs/simgrid.md).
//
//     to_text(program) ─▶ stdin │ helio-simgrid │ stdout ─▶ {"time_s": …}
//                               exit 4, stderr  ─▶ Error(kInfeasible) with its reason
//                               killed, failed, no answer, no time, one below the lower bound, none within the seconds of the question's
//                               budget on the clock of the wall ─▶ Error(kInfeasible) that says so
#pragma once

#include <string>

#include "flow/program.h"

namespace helio::pipeline {

struct SecondOpinion {
  double time_s = 0;
  double wall_s = 0, processor_s = 0;  // that SimGrid's simulation took, without starting, reading and building
};

// The program to start: $HELIO_SIMGRID, else helio-simgrid beside this executable, else on $PATH. Throws Error(kInfeasible) at
// `place` when there is none.
std::string find_simgrid(const std::string& place);

// Throws Error(kInfeasible) when SimGrid cannot express the program, and for what is no answer; a time that is shorter than `bound_s` by
// more than rounding is none. Requires: flow::check(program) passed.
SecondOpinion ask_simgrid(const flow::Program& program, const std::string& command, const std::string& place,
                          double bound_s = 0);

}  // namespace helio::pipeline
