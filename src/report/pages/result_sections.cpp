// SPDX-License-Identifier: Apache-2.0
#include "report/pages/result_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/pages/section_parts.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;
using pipeline::Result;

Table overview_of(const std::vector<ToldResult>& results) {
  Table table{.name = "collectives",
              .title = "Collectives, one after the other",
              .columns = {{"name"},
                          {"kind"},
                          {"fabric"},
                          {"algorithm"},
                          {"ranks", true},
                          {"bytes", true},
                          {"time", true},
                          {"time / bound", true},
                          {"steps", true},
                          {"proven"},
                          {"label"}},
              .rows = {}};
  for (const ToldResult& told : results) {
    const Result& result = told.answer;
    table.rows.push_back({{result.name},
                          {std::string(schedule::name_of(result.kind))},
                          {result.fabric},
                          {result.algorithm},
                          {.text = result.groups > 1 ? fmt::format("{} x {}", result.groups, result.ranks)
                                                     : fmt::format("{}", result.ranks),
                           .value = static_cast<double>(result.groups * result.ranks)},
                          {.text = format(result.bytes), .value = result.bytes.value},
                          {.text = format(result.time), .value = result.time_s},
                          {.text = fmt::format("{:.3f}", result.bound_ratio),
                           .value = result.bound_ratio,
                           .mark = result.bound_ratio <= 1.01 ? "good" : ""},
                          {.text = fmt::format("{}", result.steps), .value = static_cast<double>(result.steps)},
                          {result.verified ? "yes" : "no"},
                          {result.label}});
  }
  return table;
}

Table overview_of(const std::vector<ToldJob>& jobs) {
  Table table{.name = "jobs",
              .title = "Jobs, side by side",
              .columns = {{"name"},
                          {"model"},
                          {"NPUs", true},
                          {"iteration", true},
                          {"samples/s", true},
                          {"utilisation", true},
                          {"label"}},
              .rows = {}};
  for (const ToldJob& told : jobs) {
    const IterationResult& job = told.answer;
    table.rows.push_back({{job.name},
                          {job.model},
                          {.text = fmt::format("{}", job.npus), .value = static_cast<double>(job.npus)},
                          {.text = format(job.time), .value = job.time_s},
                          {.text = rate_text(job.samples_per_s), .value = job.samples_per_s},
                          {.text = percent_text(job.model_utilisation), .value = job.model_utilisation},
                          {job.label}});
  }
  return table;
}

void add_configuration(Page& page, const std::vector<pipeline::Configuration>& configuration, const std::string& of) {
  for (const pipeline::Configuration& owner : configuration) {
    const bool shared = owner.owner == "fabric";
    const std::string name = shared ? owner.owner : fmt::format("{}: {}", of, owner.owner);
    if (owner.values.empty() ||
        std::ranges::any_of(page.configuration, [&](const auto& other) { return other.owner == name; }))
      continue;
    page.configuration.push_back({name, owner.values});
  }
}

}  // namespace

Page page_of(const std::string& title, const std::vector<ToldResult>& results, const std::vector<ToldJob>& jobs) {
  Page page{.title = title};
  if (results.size() + jobs.size() > 1) {
    Section overview{.name = "overview", .title = ""};
    if (!results.empty()) overview.tables.push_back(overview_of(results));
    if (!jobs.empty()) overview.tables.push_back(overview_of(jobs));
    std::vector<const Result*> all;
    for (const ToldResult& told : results) all.push_back(&told.answer);
    std::vector<const IterationResult*> every;
    for (const ToldJob& told : jobs) every.push_back(&told.answer);
    if (all.size() > 1) overview.figures.push_back(time_spent("overview-spent", all));
    if (every.size() > 1) overview.figures.push_back(exposed_time("overview-exposed", every));
    page.sections.push_back(std::move(overview));
  }
  for (const ToldResult& told : results) {
    page.sections.push_back(section_of(name_from(told.answer.name), told));
    add_configuration(page, told.answer.configuration, told.answer.name);
  }
  for (const ToldJob& told : jobs) {
    page.sections.push_back(section_of(name_from("job-" + told.answer.name), told));
    add_configuration(page, told.answer.configuration, told.answer.name);
  }
  make_names_unique(page);
  if (page.sections.size() == 1 && jobs.empty()) page.sections.front().title.clear();  // the page's own says it
  return page;
}

}  // namespace helio::report
