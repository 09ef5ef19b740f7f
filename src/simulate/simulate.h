// SPDX-License-Identifier: Apache-2.0
// The engine: FlowProgram → Timeline. Exact, deterministic, and ignorant of fabrics.
#pragma once

#include <functional>

#include "flow/program.h"
#include "simulate/timeline.h"

namespace helio::simulate {

struct Options {
  bool jump = true;     // skip rounds that repeat; never changes a result
  bool fold = false;    // run what happens alike once (fold.h); changes no result by more than rounding
  bool record = false;  // spans of every operation, not only of calls
  std::size_t span_limit = 1'000'000;
  std::uint32_t span_depth = 0xffffffffu;  // spans of calls nested deeper are not kept
  std::uint64_t event_limit = 0;           // 0: none; else WorkLimitError past it
  std::uint64_t work_limit = 0;  // link uses that may be visited to share links; 0: none; else WorkLimitError past it
  Time expected;                 // about when the run will end, to say how much is left; zero: not known
  // Called now and then with the simulated time and the events so far.
  std::function<void(Time now, std::uint64_t events)> progress;

  // Throws WorkLimitError where so much is past one of the limits.
  void check(std::uint64_t events, std::uint64_t work) const;
};

// Throws BudgetSpent (base/budget.h), and Error(kInfeasible) when operations wait for each other for ever, naming who waits for what.
// Requires: check(program) passed.
Timeline simulate(const flow::Program& program, const Options& options = {});
// The same of a program that nobody runs again: what was folded goes before the rest runs. It may have resources and controllers only
// then.
Timeline simulate(flow::Program&& program, const Options& options = {});

}  // namespace helio::simulate
