// SPDX-License-Identifier: Apache-2.0
#include "placement/strategy_phase.h"

#include <fmt/format.h>

#include <numeric>

#include "base/error.h"
#include "base/units.h"

namespace helio::placement {

std::string StrategyPhase::name() const {
  constexpr const char* kNames[] = {"mp", "dp", "pp"};
  return fmt::format("{}-{}-{} {}", mp, dp, pp, kNames[static_cast<int>(phase)]);
}

std::vector<StrategyPhase> strategy_phases(std::uint32_t npus) {
  std::vector<StrategyPhase> all;
  for (std::uint32_t mp = 1; mp <= npus; ++mp)
    for (std::uint32_t dp = 1; dp <= npus / mp; ++dp)
      for (std::uint32_t pp = 1; pp <= npus / mp / dp; ++pp) {
        if (mp > 1) all.push_back({mp, dp, pp, TrainingPhase::kMp});
        if (dp > 1) all.push_back({mp, dp, pp, TrainingPhase::kDp});
        if (pp > 1) all.push_back({mp, dp, pp, TrainingPhase::kPp});
      }
  return all;
}

std::vector<std::vector<std::uint32_t>> rank_groups(const StrategyPhase& phase) {
  const auto rank = [&](std::uint32_t mp, std::uint32_t dp, std::uint32_t pp) {
    return mp + phase.mp * (pp + phase.pp * dp);
  };
  std::vector<std::vector<std::uint32_t>> groups;
  switch (phase.phase) {
    case TrainingPhase::kMp:
      for (std::uint32_t block = 0; phase.mp > 1 && block < phase.dp * phase.pp; ++block) {
        std::vector<std::uint32_t>& group = groups.emplace_back(phase.mp);
        std::iota(group.begin(), group.end(), block * phase.mp);
      }
      break;
    case TrainingPhase::kDp:
      for (std::uint32_t pp = 0; phase.dp > 1 && pp < phase.pp; ++pp)
        for (std::uint32_t mp = 0; mp < phase.mp; ++mp) {
          groups.emplace_back();
          for (std::uint32_t dp = 0; dp < phase.dp; ++dp) groups.back().push_back(rank(mp, dp, pp));
        }
      break;
    case TrainingPhase::kPp:
      for (std::uint32_t dp = 0; dp < phase.dp; ++dp)
        for (std::uint32_t pp = 0; pp + 1 < phase.pp; ++pp) {
          groups.push_back({rank(0, dp, pp)});
          for (std::uint32_t mp = 0; mp < phase.mp; ++mp) groups.back().push_back(rank(mp, dp, pp + 1));
        }
      break;
  }
  return groups;
}

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
  for (const std::vector<std::uint32_t>& ranks_of_group : rank_groups(phase)) {
    groups.emplace_back();
    for (const std::uint32_t rank : ranks_of_group) groups.back().push_back(node(rank));
  }
  return groups;
}

}  // namespace helio::placement
