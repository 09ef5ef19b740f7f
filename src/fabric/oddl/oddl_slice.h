// SPDX-License-Identifier: Apache-2.0
// ODDL's slow layer: which wavelength leads where, and what one job needs of it (papers/oddl.md 2.1, 2.2; all of it ours:
// only the abstract of the ODDL paper is known).
//
//   group g                                                                   group h
//   node (g,0) ─┐                    ┌─▷ group 0                              ┌─ node owning class 0
//      …        ├─▷ 32:1 ─▷ EDFA ─▷ WSS ─▷ group h ─▷ 32:1 ─▷ EDFA ─▷ AWG ─▷──┤    …
//   node (g,n-1)┘                    └─▷ group G-1                            └─ node owning class n-1
//
// Path rule: from group g, channel c goes to group WSS[g][c] and there to the node that owns class c mod n. Node (h, j) owns
// class (j + h) mod n, so that equal places in different groups have different classes. On the fibre of a group one channel
// means one destination node until the WSS moves; W channels hold W/n orders of each class. P planes are P copies.
//
// A slice is one job's part of all WSS: (source group, plane, channel) -> destination group. Everything else stays dark.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/id.h"
#include "schedule/schedule.h"

namespace helio::fabric {

struct OddlGeometry {
  std::uint32_t groups = 32, nodes_per_group = 32, channels = 96, planes = 1;

  std::uint32_t nodes() const { return groups * nodes_per_group; }
  std::uint32_t group_of(NodeId node) const { return node.value / nodes_per_group; }
  std::uint32_t wavelength_class(NodeId node) const { return (node.value + group_of(node)) % nodes_per_group; }
  // The node that `channel` reaches in `group`.
  NodeId reached(std::uint32_t group, std::uint32_t channel) const {
    const std::uint32_t n = nodes_per_group;
    return {group * n + (channel % n + n - group % n) % n};
  }
  // Of all planes; a number for each (group, plane, channel).
  std::uint32_t lights() const { return groups * planes * channels; }
  std::uint32_t light(std::uint32_t group, std::uint32_t plane, std::uint32_t channel) const {
    return (group * planes + plane) * channels + channel;
  }
};

// Throws Error(kInput): sizes of zero, more nodes than ids, fewer channels than nodes in a group (a class without a channel).
void check(const OddlGeometry& geometry);

// Whether these have all of `nodes` nodes of their groups, so that nobody else can be in them.
bool whole_groups(const OddlGeometry& geometry, std::uint32_t nodes, std::span<const std::vector<NodeId>> of);

struct NodePair {
  NodeId from, to;
  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

// Who sends to whom, without repeats, in order. `nodes[p]` is the node of position p.
std::vector<NodePair> pairs_of(const schedule::Schedule& schedule, std::span<const NodeId> nodes);

// The same of one phase, for several groups of nodes that run the schedule beside each other.
std::vector<NodePair> pairs_of(const schedule::Schedule& schedule, std::uint32_t phase,
                               std::span<const std::vector<NodeId>> groups);

// Channels on the busiest group fibre: the largest number of distinct destination nodes over the source groups.
std::uint32_t channels_needed(const OddlGeometry& geometry, std::span<const NodePair> pairs);

struct SliceEntry {
  std::uint32_t source_group = 0, plane = 0, channel = 0, destination_group = 0;
  std::uint32_t part = 0;  // of a run that is split by WSS changes; 0 where it is not
  friend auto operator<=>(const SliceEntry&, const SliceEntry&) = default;
};
using Slice = std::vector<SliceEntry>;

// Where it did not fit, and why.
struct Unfit {
  std::uint32_t group = 0, wavelength_class = 0;
  std::string words;
};

// Channels for all pairs on planes [0, planes): the lowest order that is free in the class, plane by plane. `taken` says which
// lights belong to others. Requires: planes <= geometry.planes.
std::variant<Slice, Unfit> first_fit(const OddlGeometry& geometry, std::span<const NodePair> pairs,
                                     std::uint32_t planes, const std::function<bool(std::uint32_t light)>& taken);

}  // namespace helio::fabric
