// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/units.h"
#include "pipeline/counted.h"
#include "report/figures/stacked.h"
#include "report/pages/result_sections.h"
#include "report/pages/section_parts.h"

namespace helio::report {
namespace {

using pipeline::IterationResult;

Figure memory_of(const std::string& name, const IterationResult& job) {
  const placement::Memory& memory = job.memory;
  const auto gigabytes = [](Bytes bytes) { return std::vector{bytes.value / 1e9}; };
  return figure_of(Stacked{.name = name,
                           .title = fmt::format("Memory of an NPU: {} in stage {}", format(memory.total), memory.stage),
                           .words = "Of the fullest stage.",
                           .value_label = "memory (GB)",
                           .bars = {job.name},
                           .parts = {{"parameters", gigabytes(memory.parameters)},
                                     {"gradients", gigabytes(memory.gradients)},
                                     {"optimiser", gigabytes(memory.optimiser)},
                                     {"activations", gigabytes(memory.activations)}}});
}

Table links_of(const std::string& name, const IterationResult& job) {
  Table table{.name = name + "-links",
              .title = "Links, with the traffic of all jobs",
              .columns = {{"class"}, {"links", true}, {"mean use", true}, {"busiest", true}},
              .rows = {}};
  for (const pipeline::LinkClass& link : job.links)
    table.rows.push_back({{link.name},
                          {.text = fmt::format("{}", link.links), .value = static_cast<double>(link.links)},
                          {.text = percent_text(link.mean), .value = link.mean},
                          {.text = percent_text(link.most), .value = link.most}});
  return table;
}

Table facts_of(const std::string& name, const IterationResult& job) {
  FactsTable facts(name + "-facts", "Everything else about it");
  facts.add("model", job.model);
  facts.add("NPUs",
            fmt::format("{} x {} on {} of {}", job.npus, job.npu, job.fabric, pipeline::counted(job.nodes, "node")));
  facts.add("lower bound", fmt::format("{}, {}", format(Time::seconds(job.bound_s)), job.bound));
  facts.add("traffic", format(job.traffic) + " over all links in the whole run, by all jobs");
  for (const auto& [activity, algorithm] : job.algorithms) facts.add(activity + " traffic", algorithm);
  facts.add(job.facts, "fabric: ");
  facts.add("energy of an iteration", fmt::format("{}, {} of it of the network ({} to {})", format(job.energy()),
                                                  format(job.network_energy.total()), format(job.network_energy.low),
                                                  format(job.network_energy.high)));
  facts.add("assumptions", fmt::format("{}", fmt::join(job.assumptions, "; ")));
  return std::move(facts).done();
}

}  // namespace

Section section_of(const std::string& name, const ToldJob& told) {
  const IterationResult& job = told.answer;
  Section section{.name = name, .title = "Job: " + job.name};
  section.cards = {
      {format(job.time), "one iteration", fmt::format("bound {}: {}", format(Time::seconds(job.bound_s)), job.bound)},
      {rate_text(job.samples_per_s) + " /s", "samples",
       job.tokens_per_s > job.samples_per_s ? rate_text(job.tokens_per_s) + " tokens/s" : ""},
      {percent_text(job.model_utilisation), "of the NPUs' peak",
       fmt::format("they compute {} of the time", percent_text(job.npu_utilisation))},
      {fmt::format("{}", job.npus), "NPUs", job.npu},
      {format(job.memory.total), "memory of an NPU", fmt::format("in stage {}", job.memory.stage)},
      {job.label, "label", ""}};
  section.words = explain(job, told.asked);
  section.figures.push_back(exposed_time(name + "-exposed", {&job}));
  if (job.memory.total > Bytes{0}) section.figures.push_back(memory_of(name + "-memory", job));
  for (const Figure& figure : told.figures) section.figures.push_back(figure);
  if (!job.links.empty()) section.tables.push_back(links_of(name, job));
  section.tables.push_back(facts_of(name, job));
  return section;
}

}  // namespace helio::report
