// SPDX-License-Identifier: Apache-2.0
// Budgets: commands with the time and memory that they may take. Adding one is a line in budgets.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace helio::bench {

// What most of them ask.
inline constexpr std::string_view kAllReduce = "collective all-reduce --bytes 100MB --json ";

struct Budget {
  std::string name;
  std::string arguments;        // of helio; words between blanks, no quotes
  double seconds = 0;           // wall time allowed
  double bytes = 0;             // resident memory allowed; 0: any
  bool after_startup = false;   // the time of `helio --version` is taken off first
  std::string must_print = {};  // else it failed: a proof that was not made costs nothing
};

struct BudgetOutcome {
  Budget budget;
  double wall_seconds = 0;       // start-up taken off where the budget says so
  double processor_seconds = 0;  // whole
  double peak_bytes = 0;
  std::string failure;            // "" when it ran and printed what it must
  bool within = false;            // wall time and memory
  bool machine_was_busy = false;  // over by wall time alone, and within by processor time
};

const std::vector<Budget>& budgets();

// Runs each three times and keeps the best; `each` hears of every outcome as it comes.
std::vector<BudgetOutcome> measure_budgets(const std::string& helio,
                                           const std::function<void(const BudgetOutcome&)>& each);

}  // namespace helio::bench
