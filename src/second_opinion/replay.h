// SPDX-License-Identifier: Apache-2.0
// A flow program run by SimGrid 3.32: who shares what when is SimGrid's word, only the order of operations is ours.
//
//     delay, compute    a timer of SimGrid's kernel
//     transfer          a timer for overhead and latency, then a Comm over links without latency
//
// SimGrid knows routes between hosts only, so every route becomes a pair of hosts: h hosts give h(h−1) routes. The model is
// CM02 without its TCP: no window limit (network/TCP-gamma 0), no factors, no weight of latency, no traffic of
// acknowledgements (network/crosstraffic 0). What is left is max-min fairness (Velho et al., "On the validity of flow-level
// TCP network models for grid and cloud simulations", ACM TOMACS 2013, describe what was turned off).
#pragma once

#include <cstdint>
#include <vector>

#include "flow/program.h"

namespace helio::second_opinion {

struct Answer {
  double time_s = 0;
  double wall_s = 0, processor_s = 0;  // of the simulation proper, without reading and building
  std::uint64_t transfers = 0;         // Comms that ran
  std::vector<double> operations_s;    // ends of the entry template's operations, the last instance of each
};

// Throws Error(kInfeasible) for what SimGrid cannot express, and when operations wait for each other for ever. SimGrid
// has one engine per process. Requires: the first call in this process, and check(program) passed.
Answer replay(const flow::Program& program);

}  // namespace helio::second_opinion
