// SPDX-License-Identifier: Apache-2.0
#include "text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "base/time.h"
#include "base/units.h"

namespace helio::bench {
namespace {

constexpr const char* kBudgetRow = "{:<24} {:<62} {:>18} {:>10} {:>10} {:>10}  {}\n";
constexpr const char* kRatioRow = "{:<27} {:<20} {:>10}   {:<20} {:>10} {:>9} {:>9}  {}\n";
constexpr const char* kGrowthRow = "{:<24} {:<9} {:>14} {:>10} {:>10} {:>9} {:>9}  {}\n";

// Three digits are more than a clock deserves.
std::string brief(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.{}f} ms", seconds * 1e3, seconds >= 0.1 ? 0 : 1);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string budget_of(const Budget& budget) {
  const std::string time = format(Time::seconds(budget.seconds)) + (budget.after_startup ? " more" : "");
  return budget.bytes > 0 ? fmt::format("{}, {}", time, format(Bytes{budget.bytes})) : time;
}

std::string asked(const Budget& budget) {
  const std::string& all = budget.arguments;
  return all.starts_with(kAllReduce) ? "* " + all.substr(kAllReduce.size()) : all;
}

std::string verdict_of(const BudgetOutcome& outcome) {
  if (!outcome.failure.empty()) return "failed: " + outcome.failure;
  if (outcome.within) return "within";
  return outcome.machine_was_busy ? "OVER (processor time within)" : "OVER";
}

}  // namespace

std::string budget_heading() {
  return fmt::format(
             "Budgets: helio as a process of its own, best of three runs. \"more\": than helio --version takes. *: "
             "{}\n",
             kAllReduce) +
         fmt::format(kBudgetRow, "case", "helio ...", "budget", "wall", "processor", "memory", "verdict");
}

std::string to_row(const BudgetOutcome& outcome) {
  const Budget& budget = outcome.budget;
  return fmt::format(kBudgetRow, budget.name, asked(budget), budget_of(budget), brief(outcome.wall_seconds),
                     brief(outcome.processor_seconds), fmt::format("{:.0f} MB", outcome.peak_bytes / 1e6),
                     verdict_of(outcome));
}

std::string ratio_heading() {
  return "Ratios: two ways to one answer, processor time\n" +
         fmt::format(kRatioRow, "case", "slow", "time", "fast", "time", "ratio", "asked", "verdict");
}

std::string to_row(const RatioOutcome& outcome) {
  const Ratio& ratio = outcome.ratio;
  const bool asked_for = ratio.at_least > 0;
  return fmt::format(kRatioRow, ratio.name, ratio.slow.name, brief(outcome.slow_seconds), ratio.fast.name,
                     brief(outcome.fast_seconds), fmt::format("{:.1f}", outcome.times()),
                     asked_for ? fmt::format("{:.0f}", ratio.at_least) : "-",
                     !asked_for         ? "shown"
                     : outcome.within() ? "within"
                                        : "UNDER");
}

std::string growth_heading() {
  return "Growth: processor time of each piece, least-squares slope of log time on log nodes\n" +
         fmt::format(kGrowthRow, "case", "piece", "nodes", "time first", "time last", "exponent", "expected", "law");
}

std::string to_row(const GrowthOutcome& outcome) {
  const Growth& growth = outcome.growth;
  const std::string name = growth.fabric == growth.algorithm ? growth.fabric : growth.fabric + ", " + growth.algorithm;
  return fmt::format(kGrowthRow, name, name_of(outcome.piece), fmt::format("{}..{}", growth.first, growth.last),
                     brief(outcome.seconds.front()), brief(outcome.seconds.back()),
                     fmt::format("{:.2f}", outcome.exponent), fmt::format("{:.2f}", outcome.expected), growth.law);
}

std::string summary(const std::vector<BudgetOutcome>& outcomes) {
  const auto kept = std::ranges::count_if(outcomes, &BudgetOutcome::within);
  return fmt::format("{} of {} budgets kept\n", kept, outcomes.size());
}

}  // namespace helio::bench
