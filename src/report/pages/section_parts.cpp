// SPDX-License-Identifier: Apache-2.0
#include "report/pages/section_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/figures/stacked.h"
#include "report/text/text.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;
using pipeline::Result;

// The unit in which the longest of several times is a number from 1 to 1000.
struct TimeUnit {
  const char* name;
  double seconds;
};

TimeUnit unit_for(double longest) {
  for (const TimeUnit unit : {TimeUnit{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}})
    if (longest >= unit.seconds) return unit;
  return {"ns", 1e-9};
}

}  // namespace

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string rate_text(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

void FactsTable::add(const Facts& facts, const std::string& before) {
  for (const Fact& fact : facts) add(before + std::string(fact.name), in_words(fact));
}

Figure time_spent(const std::string& name, const std::vector<const Result*>& results) {
  Stacked stacked{.name = name,
                  .title = "What the time is spent on",
                  .words = "Parts of the critical path: each bar is one collective from its first to its last byte.",
                  .value_label = "",
                  .bars = {},
                  .parts = {}};
  double longest = 0;
  for (const Result* result : results) longest = std::max(longest, result->time_s);
  const TimeUnit unit = unit_for(longest);
  stacked.value_label = fmt::format("time ({})", unit.name);
  for (const auto& part : {std::pair{"transmission", &simulate::Split::transmission},
                           {"latency", &simulate::Split::latency},
                           {"overhead of steps", &simulate::Split::overhead},
                           {"setting up circuits", &simulate::Split::setup},
                           {"compute or planned wait", &simulate::Split::compute},
                           {"waiting", &simulate::Split::waiting},
                           {"control", &simulate::Split::control}}) {
    Part& one = stacked.parts.emplace_back(Part{part.first, {}});
    for (const Result* result : results)
      one.values.push_back((result->critical.*part.second).to_seconds() / unit.seconds);
  }
  for (const Result* result : results) stacked.bars.push_back(result->name);
  return figure_of(stacked);
}

Figure exposed_time(const std::string& name, const std::vector<const IterationResult*>& jobs) {
  Stacked stacked{.name = name,
                  .title = "Exposed time of one iteration",
                  .words =
                      "The critical path of an iteration, part by part: what the chain that ends last is spent on. "
                      "Other NPUs may compute meanwhile.",
                  .value_label = "",
                  .bars = {},
                  .parts = {}};
  double longest = 0;
  for (const IterationResult* job : jobs) longest = std::max(longest, job->time_s);
  const TimeUnit unit = unit_for(longest);
  stacked.value_label = fmt::format("time ({})", unit.name);
  for (int a = 0; a < placement::kActivities; ++a) {
    Part& part =
        stacked.parts.emplace_back(Part{std::string(placement::name_of(static_cast<placement::Activity>(a))), {}});
    for (const IterationResult* job : jobs)
      part.values.push_back(job->exposed_s[static_cast<std::size_t>(a)] / unit.seconds);
  }
  for (const IterationResult* job : jobs) stacked.bars.push_back(job->name);
  return figure_of(stacked);
}

}  // namespace helio::report
