// SPDX-License-Identifier: Apache-2.0
#include "ask/traffic.h"

#include <fmt/format.h>

#include "ask/fabric_words.h"
#include "base/error.h"

namespace helio::ask {
namespace {

pipeline::TrafficQuestion question_of(const TrafficQuestion& asked, const NamedFabric& fabric) {
  for (const Assignment& set : asked.set)
    if (!set.path.starts_with("fabric."))
      throw Error(ErrorKind::kInput, fmt::format("'{}' is no parameter of the fabric", set.path), asked.called("set"),
                  "Write fabric.PARAMETER=VALUE; the traffic has options of its own.");
  std::vector<Assignment> set = asked.set;
  for (const Assignment& setting : fabric.settings) set.push_back({"fabric." + setting.path, setting.value});
  const pipeline::Experiment experiment = pipeline::interpret(draft_of({.kind = "all-to-all",
                                                                        .fabric = fabric.name,
                                                                        .bytes = asked.bytes,
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

}  // namespace

TrafficAnswer traffic(const TrafficQuestion& asked, const Watch& watch) {
  std::vector<NamedFabric> fabrics;
  const std::string place = asked.called("fabric");
  for (const std::string& text : asked.fabric)
    for (NamedFabric& fabric : fabrics_in(text, place)) fabrics.push_back(std::move(fabric));
  if (fabrics.empty()) throw Error(ErrorKind::kUsage, "no fabric is named", place, "name one or more");
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
  for (const NamedFabric& fabric : fabrics) contenders.push_back({title_of(fabric), question_of(asked, fabric).fabric});
  std::optional<BitRate> rate;
  if (asked.rate)
    rate = Parameters("traffic",
                      {{.name = "rate", .type = ParameterType::kRate, .minimum = "0 b/s", .minimum_exclusive = true}},
                      {{"rate", {*asked.rate, asked.called("rate")}}})
               .rate("rate");
  return pipeline::compare_traffic(question, contenders, rate, watch.stage);
}

}  // namespace helio::ask
