// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl_slice_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::fabric {
namespace {

using Taken = std::function<bool(std::uint32_t light)>;

// `group` > 0: the algorithm's parameter of that name.
schedule::Schedule build(std::string_view algorithm, schedule::Kind kind, std::size_t ranks, std::uint32_t group) {
  schedule::Capabilities anywhere;
  anywhere.fabric = "oddl";
  anywhere.nodes = ranks;
  Settings settings;
  if (group > 0) settings["group"] = {fmt::format("{}", group), "oddl"};
  const auto request = schedule::request_on_all(kind, Bytes{1}, static_cast<schedule::Position>(ranks));
  return schedule::build(algorithm, request, anywhere, settings, "oddl");
}

// How many nodes lie in each group, if it is the same number, next to each other in the order of positions; else 0.
std::uint32_t even_in_groups(const OddlGeometry& geometry, std::span<const NodeId> nodes) {
  const auto group = [&](std::size_t p) { return geometry.group_of(nodes[p]); };
  std::size_t inside = 1;
  while (inside < nodes.size() && group(inside) == group(0)) ++inside;
  if (nodes.size() % inside != 0) return 0;
  std::vector<bool> seen(geometry.groups, false);
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    if (group(p) != group(p / inside * inside)) return 0;
    if (p % inside == 0 && seen[group(p)]) return 0;
    seen[group(p)] = true;
  }
  return static_cast<std::uint32_t>(inside);
}

std::uint32_t planes_of(const Slice& slice) {
  std::uint32_t planes = 0;
  for (const SliceEntry& entry : slice) planes = std::max(planes, entry.plane + 1);
  return planes;
}

// All pairs of a run at once.
std::optional<SliceWay> whole(const OddlGeometry& geometry, const schedule::Schedule& schedule,
                              std::span<const NodeId> nodes, std::uint32_t planes, const Taken& taken,
                              std::vector<std::string>& attempts) {
  const std::vector<NodePair> pairs = pairs_of(schedule, nodes);
  const std::uint32_t channels = channels_needed(geometry, pairs);
  auto fit = first_fit(geometry, pairs, planes, taken);
  if (const Unfit* unfit = std::get_if<Unfit>(&fit)) {
    attempts.push_back(fmt::format("{} needs {} channels a group: {}", schedule.algorithm, channels, unfit->words));
    return std::nullopt;
  }
  Slice slice = std::get<Slice>(std::move(fit));
  const std::uint32_t used = planes_of(slice);
  return SliceWay{schedule.algorithm, std::move(slice), channels, used, 1, 0};
}

// A WSS change wherever the next stretch does not fit any more.
std::optional<SliceWay> in_parts(const OddlGeometry& geometry, const schedule::Schedule& schedule,
                                 std::span<const NodeId> nodes, std::uint32_t planes, const Taken& taken,
                                 std::vector<std::string>& attempts) {
  SliceWay way{schedule.algorithm, {}, 0, 0, 0, 0};
  std::vector<NodePair> part, first;
  Slice fitted;
  const auto close_part = [&] {
    for (SliceEntry& entry : fitted) entry.part = way.parts;
    way.slice.insert(way.slice.end(), fitted.begin(), fitted.end());
    way.channels = std::max(way.channels, channels_needed(geometry, part));
    if (way.parts++ == 0) first = part;
  };
  for (const std::vector<NodePair>& stretch : stretches_of(schedule, nodes)) {
    std::vector<NodePair> longer;
    std::set_union(part.begin(), part.end(), stretch.begin(), stretch.end(), std::back_inserter(longer));
    auto fit = first_fit(geometry, longer, planes, taken);
    if (!part.empty() && std::holds_alternative<Unfit>(fit)) {
      close_part();
      longer = stretch;
      fit = first_fit(geometry, longer, planes, taken);
    }
    if (const Unfit* unfit = std::get_if<Unfit>(&fit)) {
      attempts.push_back(fmt::format("{} split by WSS changes has a step that needs {} channels a group: {}",
                                     schedule.algorithm, channels_needed(geometry, longer), unfit->words));
      return std::nullopt;
    }
    part = std::move(longer);
    fitted = std::get<Slice>(std::move(fit));
  }
  close_part();
  way.planes = planes_of(way.slice);
  way.changes_per_run = way.parts == 1 ? 0 : way.parts - (part == first ? 1 : 0);
  return way;
}

}  // namespace

std::optional<SliceWay> fit_collective(const OddlGeometry& geometry, const SliceOptions& options,
                                       std::string_view algorithm, schedule::Kind kind, std::span<const NodeId> nodes,
                                       const Taken& taken, std::vector<std::string>& attempts) {
  // What may run: the algorithm asked for, with its groups where the nodes have theirs, and what may take its place
  const std::uint32_t inside = even_in_groups(geometry, nodes);
  const auto& kinds = schedule::algorithms().at("two-level").factory.kinds;
  std::vector<schedule::Schedule> schedules = {
      build(algorithm, kind, nodes.size(), algorithm == "two-level" ? inside : 0)};
  if (algorithm == "halving-doubling" && options.two_level && std::count(kinds.begin(), kinds.end(), kind) > 0 &&
      inside != nodes.size()) {
    if (inside > 0)
      schedules.push_back(build("two-level", kind, nodes.size(), inside));
    else
      attempts.push_back("two-level instead needs equally many nodes, next to each other, in each group");
  }

  // On one plane, on more, in parts
  const std::uint32_t planes = options.more_planes ? geometry.planes : 1;
  for (std::uint32_t allowed = 1; allowed <= planes; allowed = allowed < planes ? planes : planes + 1)
    for (const schedule::Schedule& schedule : schedules)
      if (auto way = whole(geometry, schedule, nodes, allowed, taken, attempts)) return way;
  if (options.split)
    for (const schedule::Schedule& schedule : schedules)
      if (auto way = in_parts(geometry, schedule, nodes, planes, taken, attempts)) return way;
  return std::nullopt;
}

}  // namespace helio::fabric
