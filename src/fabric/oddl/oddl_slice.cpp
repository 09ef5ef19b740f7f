// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

#include "base/error.h"

namespace helio::fabric {
namespace {

void sort_out(std::vector<NodePair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

void append_pairs(const schedule::Schedule& schedule, const schedule::Phase& phase, std::span<const NodeId> nodes,
                  std::vector<NodePair>& pairs) {
  const auto node = [&](schedule::Position p) { return nodes[static_cast<std::size_t>(p)]; };
  for (const schedule::Move& move : phase.moves)
    for (const schedule::Position from : schedule.members(move.source))
      for (const schedule::Position to : schedule.members(move.destination))
        if (from != to) pairs.push_back({node(from), node(to)});
}

// For each source group the nodes that it must reach, in order.
std::map<std::uint32_t, std::vector<NodeId>> destinations(const OddlGeometry& geometry,
                                                          std::span<const NodePair> pairs) {
  std::map<std::uint32_t, std::vector<NodeId>> reached;
  for (const NodePair& pair : pairs) reached[geometry.group_of(pair.from)].push_back(pair.to);
  for (auto& [group, nodes] : reached) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return reached;
}

}  // namespace

void check(const OddlGeometry& geometry) {
  constexpr std::uint64_t kMost = 1u << 24;
  const auto [groups, nodes, channels, planes] = geometry;
  if (groups == 0 || nodes == 0 || channels == 0 || planes == 0)
    throw Error(ErrorKind::kInput, "groups, nodes per group, channels and planes of ODDL are at least one each",
                "oddl");
  if (std::uint64_t{groups} * nodes > kMost || std::uint64_t{groups} * planes > kMost / channels)
    throw Error(ErrorKind::kInput,
                fmt::format("{} groups of {} nodes with {} channels on {} planes are too many", groups, nodes, channels,
                            planes),
                "oddl", fmt::format("nodes, and channels of all groups and planes, may be {} at most", kMost));
  if (channels < nodes)
    throw Error(ErrorKind::kInput,
                fmt::format("{} channels leave some of {} nodes of a group without one", channels, nodes), "oddl",
                "A group has no more nodes than there are channels.");
}

bool whole_groups(const OddlGeometry& geometry, std::uint32_t nodes, std::span<const std::vector<NodeId>> of) {
  std::set<NodeId> all;
  for (const std::vector<NodeId>& some : of) all.insert(some.begin(), some.end());
  const std::uint32_t n = geometry.nodes_per_group;
  for (const NodeId node : all)
    for (std::uint32_t other = node.value / n * n; other < std::min(node.value / n * n + n, nodes); ++other)
      if (!all.contains(NodeId{other})) return false;
  return true;
}

std::vector<NodePair> pairs_of(const schedule::Schedule& schedule, std::span<const NodeId> nodes) {
  assert(nodes.size() == static_cast<std::size_t>(schedule.ranks) && "a node for each position");
  std::vector<NodePair> pairs;
  for (const schedule::Phase& phase : schedule.phases) append_pairs(schedule, phase, nodes, pairs);
  sort_out(pairs);
  return pairs;
}

std::vector<NodePair> pairs_of(const schedule::Schedule& schedule, std::uint32_t phase,
                               std::span<const std::vector<NodeId>> groups) {
  std::vector<NodePair> pairs;
  for (const std::vector<NodeId>& nodes : groups) append_pairs(schedule, schedule.phases[phase], nodes, pairs);
  sort_out(pairs);
  return pairs;
}

std::uint32_t channels_needed(const OddlGeometry& geometry, std::span<const NodePair> pairs) {
  std::size_t most = 0;
  for (const auto& [group, nodes] : destinations(geometry, pairs)) most = std::max(most, nodes.size());
  return static_cast<std::uint32_t>(most);
}

std::variant<Slice, Unfit> first_fit(const OddlGeometry& geometry, std::span<const NodePair> pairs,
                                     std::uint32_t planes, const std::function<bool(std::uint32_t light)>& taken) {
  assert(planes >= 1 && planes <= geometry.planes && "only planes that exist");
  Slice slice;
  const std::uint32_t n = geometry.nodes_per_group;
  for (const auto& [group, nodes] : destinations(geometry, pairs)) {
    // Where the search goes on in each class: what lies before is taken, by others or by this job
    std::vector<std::uint32_t> plane_of(n, 0), channel_of(n);
    for (std::uint32_t c = 0; c < n; ++c) channel_of[c] = c;
    for (const NodeId node : nodes) {
      const std::uint32_t wanted = geometry.wavelength_class(node);
      std::uint32_t &plane = plane_of[wanted], &channel = channel_of[wanted];
      const auto next = [&, c = wanted] {
        channel += n;
        if (channel >= geometry.channels) channel = c, ++plane;
      };
      while (plane < planes && taken(geometry.light(group, plane, channel))) next();
      if (plane < planes) {
        slice.push_back({group, plane, channel, geometry.group_of(node), 0});
        next();
        continue;
      }

      // Why not
      const auto alike = std::count_if(nodes.begin(), nodes.end(),
                                       [&](NodeId other) { return geometry.wavelength_class(other) == wanted; });
      std::uint32_t open = 0;
      for (std::uint32_t p = 0; p < planes; ++p)
        for (std::uint32_t c = wanted; c < geometry.channels; c += n) open += !taken(geometry.light(group, p, c));
      return Unfit{group, wanted,
                   fmt::format("group {} must reach {} nodes, {} of them of wavelength class {}, of which {} on {} "
                               "are free there",
                               group, nodes.size(), alike, wanted,
                               open == 1 ? std::string("1 channel") : fmt::format("{} channels", open),
                               planes == 1 ? std::string("1 plane") : fmt::format("{} planes", planes))};
    }
  }
  return slice;
}

}  // namespace helio::fabric
