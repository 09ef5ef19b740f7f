// SPDX-License-Identifier: Apache-2.0
// What the flows of a lowered collective tell ODDL's control beyond their receiver: which circuits to keep, which step a flow
// belongs to, who goes first where two transceivers take turns (papers/oddl.md 2.3, 2.4; ours).
//
// Each works on the templates [first, …) of a program, those that the collective was lowered to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/program.h"
#include "schedule/schedule.h"

namespace helio::fabric {

// A circuit that carries several rounds stays while they last.
void keep_circuits(flow::Program& program, std::size_t first);

// A coflow is a step: the moves of a template, over all its rounds, or in dataflow order the moves of a phase. Their bytes are
// appended to `coflow_bytes`. False: more steps than claims can tell apart.
bool name_coflows(flow::Program& program, std::size_t first, const schedule::Schedule& schedule,
                  std::vector<double>& coflow_bytes);

// The first flow of the second of `trx` transceivers that take turns gets a smaller share, so that they do not go dark together.
void stagger(flow::Program& program, std::size_t first, std::uint32_t trx);

}  // namespace helio::fabric
