// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_slice_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "fabric/oddl/oddl_parts.h"
#include "schedule/algorithm.h"

namespace helio::fabric {
namespace {

using Taken = std::function<bool(std::uint32_t light)>;

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

// What may run, and the setting with which it was built.
struct Candidate {
  schedule::Schedule schedule;
  std::uint32_t group = 0;
};

// All pairs of a run at once.
std::optional<SliceWay> whole(const OddlGeometry& geometry, const Candidate& candidate, std::span<const NodeId> nodes,
                              std::uint32_t planes, const Taken& taken, std::vector<std::string>& attempts) {
  const schedule::Schedule& schedule = candidate.schedule;
  const std::vector<NodePair> pairs = pairs_of(schedule, nodes);
  const std::uint32_t channels = channels_needed(geometry, pairs);
  auto fit = first_fit(geometry, pairs, planes, taken);
  if (const Unfit* unfit = std::get_if<Unfit>(&fit)) {
    attempts.push_back(fmt::format("{} needs {} channels a group: {}", schedule.algorithm, channels, unfit->words));
    return std::nullopt;
  }
  Slice slice = std::get<Slice>(std::move(fit));
  const std::uint32_t used = planes_of(slice);
  return SliceWay{schedule.algorithm, candidate.group, std::move(slice), channels, used, 1, 0};
}

// A WSS change wherever the next phase does not fit any more.
std::optional<SliceWay> in_parts(const OddlGeometry& geometry, const Candidate& candidate,
                                 std::span<const NodeId> nodes, std::uint32_t planes, const Taken& taken,
                                 std::vector<std::string>& attempts) {
  const schedule::Schedule& schedule = candidate.schedule;
  const auto fit = [&](std::span<const NodePair> pairs) { return first_fit(geometry, pairs, planes, taken); };
  const std::vector<std::vector<NodeId>> groups = {{nodes.begin(), nodes.end()}};
  const auto cut = cut_into_parts(
      schedule, groups, [&](std::span<const NodePair> pairs) { return std::holds_alternative<Slice>(fit(pairs)); });
  if (const auto* stuck = std::get_if<std::vector<NodePair>>(&cut)) {
    attempts.push_back(fmt::format("{} split by WSS changes has a step that needs {} channels a group: {}",
                                   schedule.algorithm, channels_needed(geometry, *stuck),
                                   std::get<Unfit>(fit(*stuck)).words));
    return std::nullopt;
  }

  // The light of each part: that of the first part that has all of its pairs
  const auto& parts = std::get<std::vector<RunPart>>(cut);
  SliceWay way{schedule.algorithm, candidate.group, {}, 0, 0, static_cast<std::uint32_t>(parts.size()), 0};
  const auto serves = [&](const RunPart& one, const RunPart& other) {
    return std::ranges::includes(one.pairs, other.pairs);
  };
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const RunPart& setting = *std::ranges::find_if(parts, [&](const RunPart& one) { return serves(one, parts[p]); });
    Slice slice = std::get<Slice>(fit(setting.pairs));
    for (SliceEntry& entry : slice) entry.part = p;
    way.slice.insert(way.slice.end(), slice.begin(), slice.end());
    way.channels = std::max(way.channels, channels_needed(geometry, parts[p].pairs));
  }
  way.planes = planes_of(way.slice);
  way.changes_per_run = way.parts == 1 ? 0 : way.parts - (serves(parts.front(), parts.back()) ? 1 : 0);
  return way;
}

}  // namespace

schedule::Schedule slice_schedule(std::string_view algorithm, schedule::Kind kind, std::size_t ranks,
                                  std::uint32_t group) {
  schedule::Capabilities anywhere;
  anywhere.fabric = "oddl";
  anywhere.nodes = ranks;
  Settings settings;
  if (group > 0) settings["group"] = {fmt::format("{}", group), "oddl"};
  const auto request = schedule::request_on_all(kind, Bytes{1}, static_cast<schedule::Position>(ranks));
  return schedule::build(algorithm, request, anywhere, settings, "oddl");
}

std::optional<SliceWay> fit_collective(const OddlGeometry& geometry, const SliceOptions& options,
                                       std::string_view algorithm, schedule::Kind kind, std::span<const NodeId> nodes,
                                       const Taken& taken, std::vector<std::string>& attempts) {
  // What may run: the algorithm asked for, with its groups where the nodes have theirs, and what may take its place
  const std::uint32_t inside = even_in_groups(geometry, nodes);
  const auto& kinds = schedule::algorithms().at("two-level").factory.kinds;
  const auto built = [&](std::string_view name, std::uint32_t group) {
    return Candidate{slice_schedule(name, kind, nodes.size(), group), group};
  };
  std::vector<Candidate> candidates = {built(algorithm, algorithm == "two-level" ? inside : 0)};
  if (algorithm == "halving-doubling" && options.two_level && std::count(kinds.begin(), kinds.end(), kind) > 0 &&
      inside != nodes.size()) {
    if (inside > 0)
      candidates.push_back(built("two-level", inside));
    else
      attempts.emplace_back("two-level instead needs equally many nodes, next to each other, in each group");
  }

  // On one plane, on more, in parts
  const std::uint32_t planes = options.more_planes ? geometry.planes : 1;
  for (std::uint32_t allowed = 1; allowed <= planes; allowed = allowed < planes ? planes : planes + 1)
    for (const Candidate& candidate : candidates)
      if (auto way = whole(geometry, candidate, nodes, allowed, taken, attempts)) return way;
  if (options.split)
    for (const Candidate& candidate : candidates)
      if (auto way = in_parts(geometry, candidate, nodes, planes, taken, attempts)) return way;
  return std::nullopt;
}

}  // namespace helio::fabric
