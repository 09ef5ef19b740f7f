// SPDX-License-Identifier: Apache-2.0
#include "ask/traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/fabric.h"

namespace helio::ask {
namespace {

// A fabric as it was written, in parts: NAME:parameter=value,...
struct Named {
  std::string name;
  std::vector<Assignment> settings;  // "policy", "fifo"
};

Named named(const std::string& text, const std::string& place) {
  Named fabric{text.substr(0, text.find(':')), {}};
  if (fabric.name.size() == text.size()) return fabric;
  for (std::size_t at = fabric.name.size(); at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1);
    const std::string setting = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw Error(ErrorKind::kInput, fmt::format("'{}' of '{}' sets nothing", setting, text), place,
                  "Write NAME:parameter=value,parameter=value.");
    fabric.settings.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
    at = end;
  }
  return fabric;
}

// One fabric for each choice of a parameter that is set to `*`.
std::vector<Named> expanded(const Named& fabric, const std::string& place) {
  const auto star = std::ranges::find(fabric.settings, "*", &Assignment::value);
  if (star == fabric.settings.end()) return {fabric};
  const std::string name = star->path;
  const auto& parameters = fabric::fabrics().at(fabric.name, place).description.parameters;
  const auto declared = std::ranges::find(parameters, name, &Parameter::name);
  if (declared == parameters.end() || declared->choices.empty())
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' has no parameter '{}' with choices to go through", fabric.name, name), place,
                fmt::format("See helio describe {}.", fabric.name));
  std::vector<Named> all;
  for (const std::string& choice : declared->choices) {
    Named one = fabric;
    one.settings[static_cast<std::size_t>(star - fabric.settings.begin())].value = choice;
    for (Named& more : expanded(one, place)) all.push_back(std::move(more));
  }
  return all;
}

pipeline::TrafficQuestion question_of(const TrafficQuestion& asked, const Named& fabric) {
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

// In tables: "oddl policy=fifo"
std::string title_of(const Named& fabric) {
  std::string title = fabric.name;
  for (const Assignment& setting : fabric.settings) title += " " + setting.path + "=" + setting.value;
  return title;
}

}  // namespace

TrafficAnswer traffic(const TrafficQuestion& asked, const Watch& watch) {
  std::vector<Named> fabrics;
  const std::string place = asked.called("fabric");
  for (const std::string& text : asked.fabric)
    for (Named& fabric : expanded(named(text, place), place)) fabrics.push_back(std::move(fabric));
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
  for (const Named& fabric : fabrics) contenders.push_back({title_of(fabric), question_of(asked, fabric).fabric});
  std::optional<BitRate> rate;
  if (asked.rate)
    rate = Parameters("traffic",
                      {{.name = "rate", .type = ParameterType::kRate, .minimum = "0 b/s", .minimum_exclusive = true}},
                      {{"rate", {*asked.rate, asked.called("rate")}}})
               .rate("rate");
  return pipeline::compare_traffic(question, contenders, rate, watch.stage);
}

}  // namespace helio::ask
