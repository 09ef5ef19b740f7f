// SPDX-License-Identifier: Apache-2.0
#include "ask/traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "ask/fabric_words.h"
#include "base/error.h"
#include "pipeline/assembly.h"

namespace helio::ask {
namespace {

pipeline::TrafficQuestion question_of(const TrafficQuestion& asked, const NamedFabric& fabric) {
  for (const Assignment& set : asked.set)
    if (!set.path.starts_with("fabric."))
      throw Error(ErrorKind::kInput, fmt::format("'{}' is no parameter of the fabric", set.path), asked.called("set"),
                  "Write fabric.PARAMETER=VALUE; the traffic has options of its own.");
  std::vector<Assignment> set = asked.set;
  for (const Assignment& setting : fabric.settings) set.push_back({"fabric." + setting.path, setting.value});
  const pipeline::Experiment experiment =
      pipeline::interpret(draft_of({.kind = "all-to-all",
                                    .fabric = fabric.name,
                                    .bytes = asked.bytes.empty() ? "1 B" : asked.bytes,
                                    .nodes = asked.nodes,
                                    .algorithm = "direct",
                                    .set = set,
                                    .place = asked.place,
                                    .called = asked.called}));
  pipeline::TrafficQuestion question{.fabric = experiment.fabric, .bytes = experiment.collectives.front().bytes};
  Settings settings;
  for (const auto& [name, value] : {std::pair{"iterations", &asked.iterations},
                                    {"skew", &asked.skew},
                                    {"seed", &asked.seed},
                                    {"compute", &asked.compute}})
    if (*value) settings[name] = {**value, asked.called(name)};
  pipeline::read_traffic(Parameters("traffic", pipeline::traffic_parameters(), settings), question);
  return question;
}

std::optional<BitRate> asked_rate(const TrafficQuestion& asked) {
  if (!asked.rate) return std::nullopt;
  return Parameters("traffic",
                    {{.name = "rate", .type = ParameterType::kRate, .minimum = "0 b/s", .minimum_exclusive = true}},
                    {{"rate", {*asked.rate, asked.called("rate")}}})
      .rate("rate");
}

// Flows of the file, or drawn.
workload::FlowTrace flows_of(const TrafficQuestion& asked, std::uint32_t nodes, BitRate rate) {
  if (!asked.flows.empty()) return workload::read_flow_trace(asked.flows, nodes);
  Settings settings;
  for (const auto& [name, value] : {std::pair{"count", &asked.count}, {"load", &asked.load}, {"seed", &asked.seed}})
    if (*value) settings[name] = {**value, asked.called(name)};
  const Parameters drawn(
      "flows",
      {{.name = "count", .type = ParameterType::kInteger, .fallback = "10000", .minimum = "1", .maximum = "10000000"},
       {.name = "load",
        .type = ParameterType::kNumber,
        .fallback = "0.5",
        .minimum = "0",
        .maximum = "100",
        .minimum_exclusive = true},
       {.name = "seed", .type = ParameterType::kInteger, .fallback = "1", .minimum = "0"}},
      settings);
  return workload::draw_flows(workload::read_flow_sizes(asked.sizes),
                              static_cast<std::uint64_t>(drawn.integer("count")), nodes, rate, drawn.number("load"),
                              static_cast<std::uint64_t>(drawn.integer("seed")));
}

pipeline::FlowComparison flow_traffic(const TrafficQuestion& asked, const std::vector<NamedFabric>& fabrics,
                                      const Watch& watch) {
  std::vector<pipeline::TrafficContender> contenders;
  for (const NamedFabric& fabric : fabrics) contenders.push_back({fabric.title(), question_of(asked, fabric).fabric});
  const std::optional<BitRate> given = asked_rate(asked);
  const BitRate rate = given ? *given : pipeline::node_rate(contenders.front().fabric);
  if (given || fabrics.size() > 1) contenders = pipeline::at_one_rate(contenders, rate);
  const std::uint64_t nodes = pipeline::ChosenFabric(contenders.front().fabric).capabilities().nodes;
  if (nodes < 2)
    throw Error(ErrorKind::kInput, fmt::format("flows need two nodes, and there are {}", nodes), asked.called("nodes"),
                "Give more nodes.");
  if (watch.stage) watch.stage("reading");
  return pipeline::compare_flows(flows_of(asked, static_cast<std::uint32_t>(nodes), rate), contenders, rate,
                                 watch.stage);
}

}  // namespace

TrafficAnswer traffic(const TrafficQuestion& asked, const Watch& watch) {
  const std::vector<NamedFabric> fabrics = fabrics_named(asked.fabric, asked.called("fabric"));
  const int ways = !asked.bytes.empty() + !asked.flows.empty() + !asked.sizes.empty();
  if (ways != 1)
    throw Error(
        ErrorKind::kUsage, "traffic is an exchange, a trace of flows, or drawn from sizes", asked.called("bytes"),
        fmt::format("Give one of {}, {} and {}.", asked.called("bytes"), asked.called("flows"), asked.called("sizes")));
  if (asked.bytes.empty()) return flow_traffic(asked, fabrics, watch);
  const pipeline::TrafficQuestion question = question_of(asked, fabrics.front());

  // One fabric at its own rate
  if (fabrics.size() == 1) {
    if (asked.rate)
      throw Error(ErrorKind::kInput, "a rate of all nodes is for fabrics that are compared", asked.called("rate"),
                  fmt::format("Name several fabrics, or give {} fabric.rate=RATE.", asked.called("set")));
    return pipeline::run_traffic(question, watch.stage);
  }

  // Several at the same
  std::vector<pipeline::TrafficContender> contenders;
  for (const NamedFabric& fabric : fabrics) contenders.push_back({fabric.title(), question_of(asked, fabric).fabric});
  const std::optional<BitRate> rate = asked_rate(asked);
  return pipeline::compare_traffic(question, contenders, rate, watch.stage);
}

}  // namespace helio::ask
