// SPDX-License-Identifier: Apache-2.0
// What a question takes at least, counted on its moves before any of them is carried: a no that needs no work.
//
//     moves ──▶ each an operation in memory, at least while its phase runs     ──▶ bytes
//           ──▶ where controllers decide, each round of each asks and is told  ──▶ seconds of processor time
//
// Both are far below what really is needed (routes, and what the engine keeps, are not counted), so that nothing is refused that would have
// been answered; what passes may still spend its budget (base/budget.h). Counting costs a look at each move.
#pragma once

#include <cstddef>
#include <string>

#include "schedule/schedule.h"

namespace helio::pipeline {

struct Foretold {
  double bytes = 0, seconds = 0;
  std::string words = {};  // "16773120 moves"

  // Of the budget that is open.
  bool beyond_budget() const;
};

// A schedule for so many groups; `decided`: controllers start its flows.
Foretold foretold(const schedule::Schedule& schedule, std::size_t groups, bool decided);
// Flows that start once each and are all kept, with the time of each.
Foretold foretold_flows(double flows, bool decided);

// Throws BudgetSpent for what is beyond the budget.
void refuse_beyond_budget(const Foretold& least);

}  // namespace helio::pipeline
