// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traffic_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/error.h"
#include "fabric/footing.h"
#include "pipeline/assembly.h"

namespace helio::pipeline {
namespace {

std::uint64_t nodes_of(const Choice& fabric) { return ChosenFabric(fabric).capabilities().nodes; }

}  // namespace

BitRate node_rate(const Choice& fabric) {
  const schedule::Capabilities capabilities = ChosenFabric(fabric).capabilities();
  return capabilities.injection / capabilities.lit_share;
}

Choice at_node_rate(Choice fabric, BitRate per_node) {
  if (const auto given = fabric.settings.find("rate"); given != fabric.settings.end())
    throw Error(ErrorKind::kInput,
                fmt::format("'{}' has a rate of its own, and fabrics are compared at one", fabric.name),
                given->second.place, "Give the rate of a node with " + advised("rate") + ".");
  fabric.settings = fabric::at_injection(fabric.name, std::move(fabric.settings), per_node, fabric.place);
  return fabric;
}

std::vector<TrafficContender> at_one_rate(const std::vector<TrafficContender>& contenders, BitRate rate) {
  std::vector<TrafficContender> fabrics;
  std::optional<std::pair<std::string, std::uint64_t>> known;  // the first that can be, and its nodes
  for (const TrafficContender& contender : contenders) {
    fabrics.push_back({contender.name, at_node_rate(contender.fabric, rate)});
    const Choice& fabric = fabrics.back().fabric;
    std::uint64_t nodes = 0;
    try {
      nodes = nodes_of(fabric);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;  // what cannot be at this rate is told in its line
      continue;
    }
    if (!known) known.emplace(fabric.name, nodes);
    if (nodes != known->second)
      throw Error(ErrorKind::kInput,
                  fmt::format("'{}' has {} nodes, and '{}' {}", known->first, known->second, fabric.name, nodes),
                  contender.fabric.place, "Give all fabrics the same nodes, with " + advised("nodes") + ".");
  }
  return fabrics;
}

TrafficComparison compare_traffic(const TrafficQuestion& question, const std::vector<TrafficContender>& contenders,
                                  std::optional<BitRate> rate, const std::function<void(std::string_view)>& progress) {
  assert(!contenders.empty() && "somebody must carry it");
  TrafficComparison comparison{.rate = rate ? *rate : node_rate(contenders.front().fabric)};

  // Mistakes before work
  const std::vector<TrafficContender> fabrics = at_one_rate(contenders, comparison.rate);

  std::optional<Error> first;
  for (std::size_t i = 0; i < fabrics.size(); ++i) {
    const std::string& name = fabrics[i].name;
    comparison.entries.push_back({.name = name});
    TrafficQuestion one = question;
    one.fabric = fabrics[i].fabric;
    try {
      comparison.entries.back().result = run_traffic(one, [&](std::string_view stage) {
        if (progress) progress(fmt::format("{}: {}", name, stage));
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      comparison.entries.back().refusal = error.message() + ". " + error.advice();
      if (!first) first = error;
    }
  }
  if (std::ranges::none_of(comparison.entries, [](const auto& entry) { return entry.result.has_value(); }))
    throw *first;
  return comparison;
}

}  // namespace helio::pipeline
