// SPDX-License-Identifier: Apache-2.0
// The outcomes for other programs: docs/bench.md has the keys.
#pragma once

#include <string>
#include <vector>

#include "budgets.h"
#include "growth.h"
#include "ratios.h"

namespace helio::bench {

struct Outcomes {
  std::vector<BudgetOutcome> budgets;
  std::vector<RatioOutcome> ratios;
  std::vector<GrowthOutcome> growth;
};

std::string to_json(const Outcomes& outcomes);

}  // namespace helio::bench
