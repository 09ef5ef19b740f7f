// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/level_tree.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio::schedule {
namespace {

std::uint64_t instance_of(const Capabilities::Part& level, NodeId node) {
  return node.value / (level.unit * level.capabilities.nodes);
}

}  // namespace

std::size_t count_levels(const Capabilities& capabilities) {
  return capabilities.parts.empty() || capabilities.parts.front().unit == 0 ? 0 : capabilities.parts.size();
}

std::size_t levels_spanned(const CollectiveRequest& request, const Capabilities& capabilities) {
  const std::size_t levels = count_levels(capabilities);
  for (std::size_t k = 0; k < levels; ++k)
    if (std::ranges::all_of(request.groups, [&](const std::vector<NodeId>& group) {
          return std::ranges::all_of(group, [&](NodeId node) {
            return instance_of(capabilities.parts[k], node) == instance_of(capabilities.parts[k], group.front());
          });
        }))
      return k + 1;
  return levels;
}

LevelTree::LevelTree(const std::vector<NodeId>& group, const Capabilities& capabilities, std::size_t levels) {
  const std::size_t n = group.size();
  std::uint64_t combinations = 1;
  bool same = true;
  for (std::size_t k = 0; k < levels; ++k) {
    const Capabilities::Part& level = capabilities.parts[k];
    nodes_.push_back(level.capabilities.nodes);
    auto& unit = unit_.emplace_back(n);
    auto& inside = inside_.emplace_back(n);
    auto& coordinate = coordinate_.emplace_back(n);
    std::map<std::uint64_t, std::map<std::uint64_t, Position>> members;  // by instance and unit
    for (std::size_t p = 0; p < n; ++p) {
      unit[p] = group[p].value / level.unit;
      inside[p] = instance_of(level, group[p]);
      members[inside[p]][unit[p]] = 0;
    }
    Position width = 0;
    for (auto& [instance, units] : members) {
      Position next = 0;
      for (auto& [number, index] : units) index = next++;
      same = same && (width == 0 || width == next);
      width = next;
    }
    for (std::size_t p = 0; p < n; ++p) coordinate[p] = members[inside[p]][unit[p]];
    width_.push_back(width);
    combinations *= static_cast<std::uint64_t>(width);
  }
  even_ = same && combinations == n;
}

std::vector<LevelMembers> LevelTree::teams(std::size_t k, const std::function<bool(Position)>& holds) const {
  std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Position>>> found;  // by instance and unit
  for (Position p = 0; p < ranks(); ++p)
    if (holds(p)) found[inside_[k][static_cast<std::size_t>(p)]][unit(k, p)].push_back(p);
  const auto lower = [&](Position a, Position b) {
    for (std::size_t j = k; j-- > 0;)
      if (coordinate(j, a) != coordinate(j, b)) return coordinate(j, a) < coordinate(j, b);
    return false;
  };
  std::vector<LevelMembers> teams;
  for (auto& [instance, units] : found) {
    LevelMembers& members = teams.emplace_back();
    for (auto& [unit, positions] : units) {
      std::ranges::stable_sort(positions, lower);
      members.units.push_back({static_cast<std::uint32_t>(unit % nodes_[k])});
      members.team.holders.push_back(std::move(positions));
    }
  }
  return teams;
}

}  // namespace helio::schedule
