// SPDX-License-Identifier: Apache-2.0
// Workload + strategy → Program: one training iteration as tasks and requests.
//
// Every cell runs the passes of its stage in the pipeline's order. Between stages activations and their gradients are sent;
// over replicas gradients are reduced, piece by piece as backward goes on; then the optimiser runs.
//
//   zero 0        reduce: all-reduce                               each replica updates everything
//   zero 1, 2     reduce: reduce-scatter; after the optimiser: all-gather of the parameters
//   zero 3        gather before every piece, forward and backward; reduce-scatter after it
//   streaming     every piece comes in through I/O, forward and backward, and its gradients go out once; the optimiser runs
//                 where the parameters live
#pragma once

#include "placement/cell.h"
#include "placement/program.h"
#include "placement/strategy.h"
#include "workload/workload.h"

namespace helio::placement {

// Throws Error(kInfeasible) when the model cannot be divided so, or does not fit into the NPU's memory; `place` is where the job
// was asked for.
Program place(const workload::Workload& workload, const Strategy& strategy, const Machine& machine,
              const std::string& where);

}  // namespace helio::placement
