// SPDX-License-Identifier: Apache-2.0
#include "report/pages/testbed_page.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "pipeline/counted.h"
#include "report/figures/timeline_figure.h"

namespace helio::report {
namespace {

using pipeline::TestbedFlow;
using pipeline::TestbedResult;

// Rows of bars on one clock, on which step follows step.
class Bars {
 public:
  Bars(const TestbedResult& result, std::string name) {
    told_.name = std::move(name);
    told_.model = result.asked.algorithm.name;
    told_.fabric = result.asked.fabric.name;
  }
  void add(const std::string& row, const std::string& name, Time begin, Time end) {
    const auto [at, fresh] = rows_.try_emplace(row, static_cast<std::uint32_t>(rows_.size()));
    if (fresh) told_.trace_rows.push_back(row);
    told_.trace.push_back({.name = name, .row = at->second, .start = begin, .duration = std::max(end - begin, Time())});
  }
  pipeline::IterationResult done() && { return std::move(told_); }

 private:
  pipeline::IterationResult told_;
  std::map<std::string, std::uint32_t> rows_;
};

// Flows by who sends them, measured, simulated and over the ideal switch, and light by wavelength: dark, then lit.
Figure timelines(const TestbedResult& result) {
  Bars measured(result, "measured"), simulated(result, "simulated"), ideal(result, "ideal switch"),
      light(result, "light by wavelength");
  std::vector<Time> begun(result.steps.size());
  for (std::size_t s = 1; s < begun.size(); ++s)
    begun[s] = begun[s - 1] +
               std::max({result.steps[s - 1].measured, result.steps[s - 1].predicted, result.steps[s - 1].ideal});
  for (std::uint32_t node = 0; node < result.options.nodes; ++node)
    for (const TestbedFlow& flow : result.flows) {
      if (flow.source.value != node) continue;
      const Time at = begun[flow.step];
      const std::string row = fmt::format("node {} sends", node),
                        name = fmt::format("to node {}", flow.destination.value);
      measured.add(row, "asks", at + flow.ready, at + flow.started);
      if (flow.dark) measured.add(row, "dark", at + flow.told, at + flow.lit);
      measured.add(row, name, at + flow.lit, at + flow.ended);
      simulated.add(row, name, at + flow.simulated_ready, at + flow.simulated_ended);
      ideal.add(row, name, at + flow.ideal_ready, at + flow.ideal_ended);
    }
  std::map<std::string, std::vector<const TestbedFlow*>> by_light;
  for (const TestbedFlow& flow : result.flows) by_light[flow.light].push_back(&flow);
  for (const auto& [name, flows] : by_light)
    for (const TestbedFlow* flow : flows) {
      const Time at = begun[flow->step];
      if (flow->dark) light.add(name, "dark", at + flow->told, at + flow->lit);
      light.add(name, fmt::format("node {} to node {}", flow->source.value, flow->destination.value), at + flow->lit,
                at + flow->ended);
    }
  std::vector<pipeline::IterationResult> groups;
  for (Bars* bars : {&measured, &simulated, &ideal, &light}) groups.push_back(std::move(*bars).done());
  return *timeline_figure({}, groups);
}

Cell time_cell(Time time) { return {.text = format(time), .value = time.to_seconds()}; }
Cell count_cell(std::uint64_t n) { return {.text = fmt::format("{}", n), .value = static_cast<double>(n)}; }
Cell percent_cell(double share) { return {.text = fmt::format("{:+.1f} %", 100 * share), .value = share}; }

}  // namespace

Page page_of(const TestbedResult& result) {
  const fabric::OddlOptions& o = result.options;
  const double scale = result.asked.scale;
  Section section{
      .name = "testbed",
      .title = "",
      .cards = {{format(result.step), "a step over light, measured", "the median of all"},
                {format(result.predicted_step), "as simulated",
                 fmt::format("{:+.1f} %", 100 * result.prediction_error())},
                {format(result.ideal_step), "over an ideal switch, measured", "the same daemon, everything lit"},
                {fmt::format("{:.3f} x", result.slowdown()), "light over ideal"},
                {format(Time::seconds(result.step.to_seconds() / scale)), "a step as modelled",
                 fmt::format("times over {:g}", scale)}},
      .words = {fmt::format("{} processes exchange {} as real bytes through a switch in user space, kept apart by {}. "
                            "Sums were {}.",
                            o.nodes, format(result.asked.bytes.value), result.isolation,
                            result.exact ? "exact on every node in every step" : "WRONG"),
                fmt::format("The switch enforces {}, tune {}, lock {} and guard {}; {} were sent, {} of them lost.",
                            format(o.rate), format(o.tune), format(o.lock), format(o.guard),
                            pipeline::counted(result.messages, "control message"), result.messages_lost)},
      .figures = {timelines(result)}};
  Table steps{.name = "steps",
              .title = "Step by step",
              .columns = {{"step", true}, {"measured", true}, {"simulated", true}, {"off by", true}, {"ideal", true}},
              .rows = {}};
  for (std::size_t s = 0; s < result.steps.size(); ++s) {
    const pipeline::TestbedStep& step = result.steps[s];
    steps.rows.push_back({count_cell(s), time_cell(step.measured), time_cell(step.predicted),
                          percent_cell(step.predicted.to_seconds() / step.measured.to_seconds() - 1),
                          time_cell(step.ideal)});
  }
  Table flows{.name = "flows",
              .title = "Flow by flow, since the step began",
              .columns = {{"step", true},
                          {"round", true},
                          {"from", true},
                          {"to", true},
                          {"light"},
                          {"ready", true},
                          {"lit", true},
                          {"ended", true},
                          {"simulated ready", true},
                          {"simulated end", true}},
              .rows = {},
              .folded = true};
  for (const TestbedFlow& flow : result.flows)
    flows.rows.push_back({count_cell(flow.step),
                          count_cell(flow.round),
                          count_cell(flow.source.value),
                          count_cell(flow.destination.value),
                          {flow.light},
                          time_cell(flow.ready),
                          time_cell(flow.lit),
                          time_cell(flow.ended),
                          time_cell(flow.simulated_ready),
                          time_cell(flow.simulated_ended)});
  section.tables = {std::move(steps), std::move(flows)};
  Page page{.title = "A testbed of ODDL",
            .lead = "Measured on a machine: times differ from run to run, bytes and sums do not.",
            .version = result.version,
            .configuration = {result.configuration}};
  page.sections.push_back(std::move(section));
  return page;
}

}  // namespace helio::report
