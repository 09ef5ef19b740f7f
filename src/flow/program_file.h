// SPDX-License-Identifier: Apache-2.0
// A flow program as text, one thing per line, so that another program can run it: docs/flow-file.md.
//
//     heliograph-flow 1
//     link 0x1.74876e8p+38 0 to 1            rate in bits per second, name to the end of the line
//     route 500000000000000 0                latency in zeptoseconds, links
//     template step
//     transfer route=0 bytes=0x1.7d784p+16   fields that are not their default
//     template all
//     call callee=0 rounds=6
//     entry 1
//
// Invariant: parse_program(to_text(p)) equals p field by field, names included; only classes of resources, which no engine reads, are
// left out. Times are integers, other numbers hexadecimal floating point, so nothing is rounded. A controller is code and has no text.
#pragma once

#include <string>
#include <string_view>

#include "flow/program.h"

namespace helio::flow {

// Throws Error(kInfeasible) when the program has a controller. Requires: check(program) passed.
std::string to_text(const Program& program);

// The program in `text`, checked. Throws Error(kInput) with the place name:line.
Program parse_program(std::string_view text, std::string_view name);

}  // namespace helio::flow
