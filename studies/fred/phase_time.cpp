// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/phase_time.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio::studies::fred_study {
namespace {

using fabric::Flow;
using placement::StrategyPhase;
using placement::TrainingPhase;

using Link = std::pair<Position, Position>;

double ring_bytes(double members) { return 2 * (members - 1) / members; }

std::set<Link> x_y_path(Position from, Position to) {
  std::set<Link> path;
  const auto step = [&](int Position::*axis, int towards) {
    while (from.*axis != towards) {
      Position next = from;
      next.*axis += towards > from.*axis ? 1 : -1;
      path.insert({from, next});
      from = next;
    }
  };
  step(&Position::x, to.x);
  step(&Position::y, to.y);
  return path;
}

// How often the hottest link is crossed by rings in the order of their members, or by multicasts.
double hottest_load(const std::vector<Flow>& flows, bool multicast, bool snake) {
  std::map<Link, double> load;
  for (const Flow& flow : flows) {
    if (multicast) {
      std::set<Link> tree;
      for (const std::uint32_t to : flow.outputs)
        tree.merge(x_y_path(position_of(flow.inputs.front(), snake), position_of(to, snake)));
      for (const Link& link : tree) load[link] += 1;
      continue;
    }
    for (std::size_t i = 0; i < flow.inputs.size(); ++i)
      for (const Link& link :
           x_y_path(position_of(flow.inputs[i], snake), position_of(flow.inputs[(i + 1) % flow.inputs.size()], snake)))
        load[link] += 1;
  }
  double most = 0;
  for (const auto& [link, times] : load) most = std::max(most, times);
  return most;
}

// Members of a flow's side below each L1.
std::map<std::uint32_t, int> by_l1(const std::vector<std::uint32_t>& npus) {
  std::map<std::uint32_t, int> counts;
  for (const std::uint32_t npu : npus) ++counts[npu / kNpusPerL1];
  return counts;
}

double busiest(const std::map<std::uint32_t, double>& loads) {
  double most = 0;
  for (const auto& [l1, load] : loads) most = std::max(most, load);
  return most;
}

}  // namespace

const char* name_of(MeshRule rule) {
  switch (rule) {
    case MeshRule::kOneLink: return "one link per group and NPU";
    case MeshRule::kXyRings: return "X-Y routed rings in NPU order";
    case MeshRule::kSnake: return "X-Y routed rings, snake placement";
    case MeshRule::kBothWays: break;
  }
  return "even groups of 4 or more in both ring directions";
}

Position position_of(std::uint32_t npu, bool snake) {
  const int column = static_cast<int>(npu) / kRows, row = static_cast<int>(npu) % kRows;
  return {column, snake && column % 2 == 1 ? kRows - 1 - row : row};
}

double mesh_seconds_per_byte(const StrategyPhase& phase, MeshRule rule) {
  const std::vector<Flow> flows = flows_of(phase);
  if (flows.empty()) return 0;
  const bool multicast = phase.phase == TrainingPhase::kPp;
  const std::size_t members = flows.front().outputs.size();
  const double bytes = multicast ? 1 : ring_bytes(static_cast<double>(members));
  const bool routed = rule == MeshRule::kXyRings || rule == MeshRule::kSnake;
  double load = 1;
  if (!multicast && members == kNpus)
    load = 0.5;
  else if (routed)
    load = hottest_load(flows, multicast, rule == MeshRule::kSnake);
  else if (rule == MeshRule::kBothWays && !multicast && members % 2 == 0 && members >= 4)
    load = 0.5;
  return bytes * load / kMeshLink;
}

double tree_seconds_per_byte(const StrategyPhase& phase, Wafer wafer) {
  const std::vector<Flow> flows = flows_of(phase);
  if (flows.empty()) return 0;
  const bool once = phase.phase == TrainingPhase::kPp || reduces(wafer);  // every byte crosses a link once
  const auto members = static_cast<double>(flows.front().outputs.size());

  // What each L1 sends up and takes in
  std::map<std::uint32_t, double> up, down;
  for (const Flow& flow : flows) {
    const std::map<std::uint32_t, int> from = by_l1(flow.inputs), to = by_l1(flow.outputs);
    if (from.size() == 1 && to.size() == 1 && from.begin()->first == to.begin()->first) continue;
    const auto parts = static_cast<double>(from.size());
    const bool balanced = std::ranges::all_of(from, [&](const auto& l1) { return l1.second == from.begin()->second; });
    const double crossing = once ? 1 : ring_bytes(balanced ? parts : members);
    for (const auto& [l1, count] : from) up[l1] += crossing;
    for (const auto& [l1, count] : to)
      if (from.size() > 1 || !from.contains(l1)) down[l1] += crossing;
  }
  return std::max((once ? 1 : ring_bytes(members)) / kNpuRate, std::max(busiest(up), busiest(down)) / uplink_of(wafer));
}

double seconds_per_byte(const StrategyPhase& phase, Wafer wafer, MeshRule rule) {
  return wafer == Wafer::kMesh ? mesh_seconds_per_byte(phase, rule) : tree_seconds_per_byte(phase, wafer);
}

}  // namespace helio::studies::fred_study
