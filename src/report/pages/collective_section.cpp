// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "pipeline/experiment.h"
#include "report/pages/result_sections.h"
#include "report/pages/section_parts.h"

namespace helio::report {
namespace {

using pipeline::Result;

std::string proof(const Result& result) {
  if (result.verified) return fmt::format("yes, by {}", result.verify_method);
  return result.verify_method == "none" ? "not asked for (--verify)" : fmt::format("no: {}", result.verify_method);
}

Table facts_of(const std::string& name, const Result& result) {
  FactsTable facts(name + "-facts", "Everything else about it");
  facts.add("bottleneck", result.bottleneck);
  facts.add("bound", result.bound);
  facts.add("order of rounds", std::string(pipeline::name_of(result.sync)));
  facts.add("engine", result.engine);
  facts.add("traffic over all links", format(result.traffic));
  facts.add("sent by the busiest rank", format(result.injected));
  if (result.wavelengths_used > 0) facts.add("wavelengths", fmt::format("{}", result.wavelengths_used));
  facts.add(result.facts);
  const pipeline::NetworkEnergy& energy = result.energy;
  facts.add("energy of the network",
            fmt::format("{} ({} to {}): {} moving, {} being on", format(energy.total()), format(energy.low),
                        format(energy.high), format(energy.moving), format(energy.being_on)));
  facts.add("proven", proof(result));
  for (const pipeline::Attempt& attempt : result.attempts)
    facts.add("remedy " + attempt.remedy, fmt::format("{}: {}", attempt.outcome, attempt.reason));
  facts.add("assumptions", fmt::format("{}", fmt::join(result.assumptions, "; ")));
  return std::move(facts).done();
}

Table alternatives_of(const std::string& name, const Result& result) {
  Table table{.name = name + "-alternatives",
              .title = "The algorithms that were tried",
              .columns = {{"algorithm"}, {"time", true}, {"steps", true}, {"verdict"}, {"why"}},
              .rows = {{{result.algorithm},
                        {.text = format(result.time), .value = result.time_s},
                        {.text = fmt::format("{}", result.steps), .value = static_cast<double>(result.steps)},
                        {.text = "fastest", .mark = "good"},
                        {""}}}};
  for (const pipeline::Alternative& other : result.alternatives)
    table.rows.push_back({{other.algorithm},
                          other.time ? Cell{.text = format(*other.time), .value = other.time->to_seconds()} : Cell{"-"},
                          other.time
                              ? Cell{.text = fmt::format("{}", other.steps), .value = static_cast<double>(other.steps)}
                              : Cell{"-"},
                          {other.verdict},
                          {other.reason}});
  return table;
}

}  // namespace

Section section_of(const std::string& name, const ToldResult& told) {
  const Result& result = told.answer;
  Section section{.name = name, .title = result.name};
  section.cards = {
      {format(result.time), "time", fmt::format("bound {}", format(Time::seconds(result.bound_s)))},
      {fmt::format("{:.3f} x", result.bound_ratio), "time over lower bound",
       result.bound_ratio <= 1.01 ? "as good as it gets" : ""},
      {result.algorithm, "algorithm", result.asked_algorithm.empty() ? "as asked" : "the fastest that was found"},
      {fmt::format("{}", result.steps), "steps in a row", fmt::format("{} order", pipeline::name_of(result.sync))},
      {format(result.traffic), "traffic over all links",
       fmt::format("{} from the busiest rank", format(result.injected))},
      {result.label, "label", result.verified ? "schedule proven" : "schedule not proven"}};
  section.words = explain(result, told.asked);
  if (result.time_s > 0) section.figures.push_back(time_spent(name + "-spent", {&result}));
  for (const Figure& figure : told.figures) section.figures.push_back(figure);
  if (!result.alternatives.empty()) section.tables.push_back(alternatives_of(name, result));
  section.tables.push_back(facts_of(name, result));
  return section;
}

}  // namespace helio::report
