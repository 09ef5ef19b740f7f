// SPDX-License-Identifier: Apache-2.0
// The outcomes as tables on a terminal, a row at a time.
#pragma once

#include <string>
#include <vector>

#include "budgets.h"
#include "growth.h"
#include "ratios.h"

namespace helio::bench {

std::string budget_heading();
std::string to_row(const BudgetOutcome& outcome);
std::string ratio_heading();
std::string to_row(const RatioOutcome& outcome);
std::string growth_heading();
std::string to_row(const GrowthOutcome& outcome);

// "5 of 6 budgets kept; over: …".
std::string summary(const std::vector<BudgetOutcome>& outcomes);

}  // namespace helio::bench
