// SPDX-License-Identifier: Apache-2.0
#include "fabric/carrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/budget.h"
#include "base/mix.h"
#include "fabric/lowering.h"

namespace helio::fabric {

using schedule::CollectiveRequest;
using schedule::Move;
using schedule::Schedule;

float weight_of(double share) {
  const auto nearest = static_cast<float>(share);
  return nearest < share ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

flow::Circuit Circuits::of(std::span<const std::uint64_t> key) {
  std::uint64_t hash = key.size();
  for (const std::uint64_t word : key) hash = mixed(hash ^ word, 0);
  for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at) {
    const std::size_t last = ends_[at->second - 1], first = at->second == 1 ? 0 : ends_[at->second - 2];
    if (std::ranges::equal(key, std::span(words_).subspan(first, last - first))) return at->second;
  }
  words_.insert(words_.end(), key.begin(), key.end());
  ends_.push_back(words_.size());
  return by_hash_.emplace(hash, ends_.size())->second;
}

Carrier::Carrier(const Fabric& fabric, flow::Program& program, Site site)
    : fabric_(fabric), program_(program), site_(std::move(site)) {
  assert((site_.nodes.empty() || site_.nodes.size() == fabric.capabilities().nodes) && "a site has a node for each");
  Budget::spend(4 * static_cast<std::int64_t>(fabric.resources().size()));
  offset_ = program.resources.append(fabric.resources(), site_.name);
  for (std::uint32_t i = 0; i < site_.nodes.size(); ++i) number_.emplace(site_.nodes[i].value, i);
}

NodeId Carrier::here(NodeId node) const { return site_.nodes.empty() ? node : NodeId{number_.at(node.value)}; }

std::vector<NodeId> Carrier::here(const std::vector<NodeId>& nodes) const {
  std::vector<NodeId> mine;
  mine.reserve(nodes.size());
  for (const NodeId node : nodes) mine.push_back(here(node));
  return mine;
}

CollectiveRequest Carrier::here(const CollectiveRequest& request) const {
  CollectiveRequest mine = request;
  for (std::vector<NodeId>& group : mine.groups) group = here(group);
  return mine;
}

std::vector<Crossing> Carrier::crossings() const {
  std::vector<Crossing> all = fabric_.bill().crossings;
  for (Crossing& crossing : all) crossing.first.value += offset_;
  return all;
}

LowerResult Carrier::lower(const Schedule& schedule, const CollectiveRequest& request, const LowerOptions& options) {
  if (site_.nodes.empty()) return lower_here(schedule, request, options);
  return lower_here(schedule, here(request), options);
}

std::optional<Refusal> Carrier::settle(const Schedule& schedule, const CollectiveRequest& together) {
  return site_.nodes.empty() ? settle_here(schedule, together) : settle_here(schedule, here(together));
}

std::optional<Remedied> Carrier::remedy(Remedy way, const Schedule& schedule, const CollectiveRequest& request,
                                        const LowerOptions& options) {
  return remedy_here(way, schedule, site_.nodes.empty() ? request : here(request), options);
}

void Carrier::add_way(NodeId from, NodeId to, const Carriage& carriage, Way& way) {
  const std::uint32_t others = std::exchange(way.offset, offset_);
  route(here(from), here(to), carriage, way);
  way.offset = others;
}

void Carrier::add_way(const std::vector<NodeId>& from, const std::vector<NodeId>& to, const Carriage& carriage,
                      Way& way) {
  const std::uint32_t others = std::exchange(way.offset, offset_);
  route_set(here(from), here(to), carriage, way);
  way.offset = others;
}

bool Carrier::stream(std::span<const std::vector<NodeId>> shards, bool inward, std::vector<flow::LinkUse>& links) {
  Way way;
  way.offset = offset_;
  std::vector<std::vector<NodeId>> mine;
  if (!site_.nodes.empty())
    for (const std::vector<NodeId>& shard : shards) mine.push_back(here(shard));
  if (!stream_here(site_.nodes.empty() ? shards : std::span<const std::vector<NodeId>>(mine), inward, way))
    return false;
  links.insert(links.end(), way.links.begin(), way.links.end());
  return true;
}

Picture Carrier::picture(const Schedule& schedule, const CollectiveRequest& request, const Lowered& lowered) {
  return picture_here(schedule, site_.nodes.empty() ? request : here(request), lowered);
}

LowerResult Carrier::lower_here(const Schedule& schedule, const CollectiveRequest& request,
                                const LowerOptions& options) {
  if (std::optional<Refusal> refusal = object(schedule, request, options)) return *std::move(refusal);
  const std::size_t first = program_.templates.size();
  Lowering lowering(*this, schedule, request, options);
  Lowered lowered;
  lowered.entry = options.order == schedule::Order::kStep ? lowering.step_order() : lowering.dataflow_order();
  lowered.wavelengths_used = lowering.wavelengths_used;
  lowered.longest_path_hops = lowering.longest_path_hops;

  // Lanes are a promise that nobody meets in a step: whoever assigned them, the lowered program is what is checked. In dataflow
  // order there are no steps; there whoever comes second waits for the channel.
  if (lanes_are_promises() && options.order == schedule::Order::kStep)
    if (const flow::ConflictReport report = flow::find_conflict(program_, lowered.entry); report.found)
      return Refusal{fmt::format("two moves of '{}' would hold {} at the same time",
                                 program_.templates[report.conflict.where.value].name,
                                 program_.resources.name(report.conflict.channel)),
                     "Use other lanes or more wavelengths, or let groups go one after the other (" +
                         advised("remedy", "block") + ").",
                     0,
                     {},
                     {}};
  if (std::optional<Refusal> refusal = complete(schedule, request, options, first, lowered)) return *std::move(refusal);
  return lowered;
}

std::optional<Refusal> Carrier::object(const Schedule& schedule, const CollectiveRequest&, const LowerOptions&) {
  return usual_objection(capabilities(), schedule);
}

void Carrier::assign(const CollectiveRequest&, std::span<const Traveller>, std::vector<Assignment>&) {}

void Carrier::route_set(std::span<const NodeId>, std::span<const NodeId>, const Carriage&, Way&) {
  assert(false && "a fabric that lets in-fabric moves pass must route them");
}

std::optional<Refusal> Carrier::complete(const Schedule&, const CollectiveRequest&, const LowerOptions&, std::size_t,
                                         Lowered&) {
  return std::nullopt;
}

std::optional<Refusal> Carrier::settle_here(const Schedule&, const CollectiveRequest&) { return std::nullopt; }

std::optional<Remedied> Carrier::remedy_here(Remedy, const Schedule&, const CollectiveRequest&, const LowerOptions&) {
  return std::nullopt;
}

bool Carrier::stream_here(std::span<const std::vector<NodeId>>, bool, Way&) { return false; }

Picture Carrier::picture_here(const Schedule&, const CollectiveRequest&, const Lowered&) { return {}; }

std::optional<Refusal> usual_objection(const schedule::Capabilities& capabilities, const Schedule& schedule) {
  for (std::uint32_t p = 0; p < schedule.phases.size(); ++p)
    for (std::uint32_t i = 0; i < schedule.phases[p].moves.size(); i += schedule.phases[p].moves.each()) {
      const Move move = schedule.phases[p].moves[i];  // whose translates ask for the same
      if (move.source < 0 && !capabilities.reduces)
        return Refusal{fmt::format("{} cannot reduce inside the fabric", capabilities.fabric),
                       "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + ".",
                       p,
                       {i},
                       {}};
      if (move.destination < 0 && !capabilities.multicasts)
        return Refusal{fmt::format("{} cannot multicast inside the fabric", capabilities.fabric),
                       "Use an endpoint algorithm, or " + advised("remedy", "endpoint") + ".",
                       p,
                       {i},
                       {}};
      if ((move.lane.wavelength >= 0 || move.lane.width != 1) && capabilities.wavelengths == 0)
        return Refusal{fmt::format("{} has no wavelengths to put a move on", capabilities.fabric),
                       "Use a WDM fabric, or a schedule without lanes.",
                       p,
                       {i},
                       {}};
    }
  return std::nullopt;
}

}  // namespace helio::fabric
