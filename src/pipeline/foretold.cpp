// SPDX-License-Identifier: Apache-2.0
#include "pipeline/foretold.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "flow/program.h"
#include "simulate/timeline.h"

namespace helio::pipeline {
namespace {

// A request, a grant and a release take several microseconds; a budget is never so exact that twice as much would not be clear.
constexpr double kSecondsPerDecision = 1e-6, kClearly = 2;

// Those that repeat are leapt over (simulate/engine.h): what is sure is the first and the last.
constexpr std::uint32_t kDecidedRounds = 2;

}  // namespace

bool Foretold::beyond_budget() const {
  const BudgetLimits& limits = Budget::limits();
  return (limits.bytes > 0 && bytes > limits.bytes) || (limits.seconds > 0 && seconds > kClearly * limits.seconds);
}

Foretold foretold(const schedule::Schedule& schedule, std::size_t groups, bool decided) {
  double moves = 0, listed = 0, most = 0, decisions = 0;
  for (const schedule::Phase& phase : schedule.phases) {
    const auto of_phase = static_cast<double>(phase.moves.size());
    moves += of_phase;
    listed += static_cast<double>(phase.moves.listed().size());
    most = std::max(most, of_phase);
    if (!decided) continue;
    for (const schedule::Move& move : phase.moves) {
      const schedule::Window active = schedule::window(move, phase);
      decisions += std::min(active.last - active.first, kDecidedRounds);
    }
  }
  const auto all = static_cast<double>(groups);
  return {double{sizeof(schedule::Move)} * listed + double{sizeof(flow::Operation)} * most * all,
          kSecondsPerDecision * decisions * all, fmt::format("its schedule has {:.3g} moves", moves * all)};
}

Foretold foretold_flows(double flows, bool decided) {
  return {double{sizeof(flow::Operation) + sizeof(simulate::Span)} * flows, decided ? kSecondsPerDecision * flows : 0,
          fmt::format("there are {:.3g} flows", flows)};
}

void refuse_beyond_budget(const Foretold& least) {
  if (!least.beyond_budget()) return;
  const BudgetLimits& limits = Budget::limits();
  throw BudgetSpent{.limits = limits,
                    .memory = limits.bytes > 0 && least.bytes > limits.bytes,
                    .known = least.words,
                    .needed = {least.seconds, least.bytes}};
}

}  // namespace helio::pipeline
