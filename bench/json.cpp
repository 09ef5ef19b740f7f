// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <nlohmann/json.hpp>

#include "base/json_dump.h"
#include "pipeline/version.h"

namespace helio::bench {
namespace {

using nlohmann::ordered_json;

ordered_json object(const BudgetOutcome& outcome) {
  const Budget& budget = outcome.budget;
  return {{"name", budget.name},
          {"arguments", budget.arguments},
          {"after_startup", budget.after_startup},
          {"budget_s", budget.seconds},
          {"wall_s", outcome.wall_seconds},
          {"processor_s", outcome.processor_seconds},
          {"budget_bytes", budget.bytes > 0 ? ordered_json(budget.bytes) : ordered_json()},
          {"peak_bytes", outcome.peak_bytes},
          {"within", outcome.within},
          {"machine_was_busy", outcome.machine_was_busy},
          {"failure", outcome.failure}};
}

ordered_json object(const RatioOutcome& outcome) {
  const Ratio& ratio = outcome.ratio;
  return {{"name", ratio.name},
          {"slow", ratio.slow.name},
          {"slow_s", outcome.slow_seconds},
          {"fast", ratio.fast.name},
          {"fast_s", outcome.fast_seconds},
          {"ratio", outcome.times()},
          {"at_least", ratio.at_least > 0 ? ordered_json(ratio.at_least) : ordered_json()},
          {"within", outcome.within()}};
}

ordered_json object(const GrowthOutcome& outcome) {
  return {{"fabric", outcome.growth.fabric}, {"algorithm", outcome.growth.algorithm},
          {"piece", name_of(outcome.piece)}, {"nodes", outcome.nodes},
          {"seconds", outcome.seconds},      {"exponent", outcome.exponent},
          {"expected", outcome.expected},    {"law", outcome.growth.law}};
}

template <class Outcome>
ordered_json list(const std::vector<Outcome>& outcomes) {
  ordered_json all = ordered_json::array();
  for (const Outcome& outcome : outcomes) all.push_back(object(outcome));
  return all;
}

}  // namespace

std::string to_json(const Outcomes& outcomes) {
  const ordered_json all = {{"version", pipeline::kVersion},
                            {"budgets", list(outcomes.budgets)},
                            {"ratios", list(outcomes.ratios)},
                            {"growth", list(outcomes.growth)}};
  return json_dump(all, 2) + "\n";
}

}  // namespace helio::bench
