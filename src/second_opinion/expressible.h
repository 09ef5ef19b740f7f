// SPDX-License-Identifier: Apache-2.0
// What SimGrid can say exactly, and what it cannot: docs/simgrid.md.
#pragma once

#include "flow/program.h"

namespace helio::second_opinion {

// A weight w is said by crossing a link w times, so it is a whole number, and not a large one; or a half, where all links are made
// twice as fast and crossed twice as often.
inline constexpr float kLargestWeight = 64;
bool has_half_weights(const flow::Program& program);

// Throws Error(kInfeasible) with the reason when the program, or something that it calls, has channels, a controller, a link
// on which two priority classes or two shares may meet, or a weight that is not a small multiple of a half. Requires: check(program) passed.
void refuse_what_simgrid_cannot_express(const flow::Program& program);

}  // namespace helio::second_opinion
