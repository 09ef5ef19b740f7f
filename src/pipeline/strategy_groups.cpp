// SPDX-License-Identifier: Apache-2.0
#include "pipeline/strategy_groups.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace helio::pipeline {

using fabric::StrategyPhase;
using fabric::TrainingPhase;

StrategyPhase strategy_phase(const Setting& strategy, const Setting& phase) {
  const auto wrong = [&](std::string what) {
    return Error(ErrorKind::kInput, std::move(what), strategy.place, "Write MP-DP-PP, such as 2-5-2.");
  };

  // Three numbers
  std::vector<std::string> texts{""};
  for (const char c : strategy.text) {
    if (c == '-')
      texts.emplace_back();
    else
      texts.back() += c;
  }
  if (texts.size() != 3) throw wrong(fmt::format("'{}' is no strategy", strategy.text));
  StrategyPhase result;
  std::uint32_t* const numbers[] = {&result.mp, &result.dp, &result.pp};
  for (std::size_t i = 0; i < 3; ++i) {
    long long number = 0;
    try {
      number = parse_integer(texts[i]);
    } catch (const Error&) {
      throw wrong(fmt::format("'{}' is no strategy", strategy.text));
    }
    if (number < 1 || number > 1'000'000)
      throw wrong(fmt::format("a dimension of {} is not between 1 and 1000000", number));
    *numbers[i] = static_cast<std::uint32_t>(number);
  }

  // And one of its dimensions
  constexpr std::string_view kNames[] = {"mp", "dp", "pp"};
  for (int i = 0; i < 3; ++i) {
    if (phase.text != kNames[i]) continue;
    if (*numbers[i] == 1)
      throw Error(ErrorKind::kInput,
                  fmt::format("strategy {} has no {} phase: its dimension is 1", strategy.text, phase.text),
                  phase.place, "Name a phase whose dimension is more than 1.");
    result.phase = static_cast<TrainingPhase>(i);
    return result;
  }
  throw unknown_name("phase", phase.text, {"mp", "dp", "pp"}, phase.place);
}

schedule::Kind kind_of_phase(const StrategyPhase& phase, schedule::Kind asked, const std::string& place) {
  if (phase.phase != TrainingPhase::kPp) return asked;
  if (asked == schedule::Kind::kAllReduce || asked == schedule::Kind::kBroadcast) return schedule::Kind::kBroadcast;
  throw Error(ErrorKind::kInput,
              fmt::format("the pp phase multicasts from stage to stage, it is no {}", name_of(asked)), place,
              "ask for broadcast");
}

std::vector<std::vector<NodeId>> groups_of(const StrategyPhase& phase, const schedule::Capabilities& capabilities,
                                           const std::string& place) {
  const std::uint64_t ranks = std::uint64_t{phase.mp} * phase.dp * phase.pp;
  if (ranks > capabilities.nodes)
    throw Error(ErrorKind::kInput,
                fmt::format("strategy {}-{}-{} has {} ranks, and '{}' has {} nodes", phase.mp, phase.dp, phase.pp,
                            ranks, capabilities.fabric, capabilities.nodes),
                place, "Choose dimensions whose product fits.");

  // Column by column: the last dimension is the fastest
  const auto node = [&](std::uint32_t npu) {
    if (capabilities.adjacency != schedule::Adjacency::kGrid) return NodeId{npu};
    std::uint32_t id = 0, stride = static_cast<std::uint32_t>(capabilities.nodes);
    for (auto extent = capabilities.dimensions.rbegin(); extent != capabilities.dimensions.rend(); ++extent) {
      const auto e = static_cast<std::uint32_t>(*extent);
      stride /= e;
      id += npu % e * stride;
      npu /= e;
    }
    return NodeId{id};
  };
  std::vector<std::vector<NodeId>> groups;
  for (const fabric::Flow& flow : flows_of(phase)) {
    std::vector<NodeId>& group = groups.emplace_back();
    if (phase.phase == TrainingPhase::kPp) group.push_back(node(flow.inputs.front()));
    for (const std::uint32_t npu : flow.outputs) group.push_back(node(npu));
  }
  return groups;
}

}  // namespace helio::pipeline
