// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_tree_plane.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace helio::fabric {
namespace {

constexpr std::size_t kMostKnown = 100'000;  // chips remembered: some 50 MB

std::vector<TreePart> parts_of(const FredTreeShape& shape, const Flow& flow) {
  std::map<std::uint32_t, TreePart> by_group;
  for (const std::uint32_t end : flow.inputs) by_group[shape.group_of(end)].inputs.push_back(shape.l1_port(end));
  for (const std::uint32_t end : flow.outputs) by_group[shape.group_of(end)].outputs.push_back(shape.l1_port(end));
  std::vector<TreePart> parts;
  for (auto& [group, part] : by_group) {
    part.group = group;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

PlaneRouter::PlaneRouter(const FredTreeShape& shape, std::span<const Flow> flows, const TreeRouteOptions& options)
    : shape_(shape),
      options_(options),
      links_alike_(shape.links_per_chip == 1 || (shape.links_per_chip == 2 && shape.npus % 2 == 0)),
      taken_(2 * std::size_t{shape.groups} * shape.uplinks()) {
  for (const Flow& flow : flows) parts_.push_back(parts_of(shape, flow));
}

PlaneFit PlaneRouter::fit(std::span<const std::uint32_t> chosen, bool colour) {
  // Links alone say no much sooner
  if (colour && fit(chosen, false) == PlaneFit::kNo) return PlaneFit::kNo;

  colour_ = colour;
  unknown_ = false;
  refusal_.clear();
  taken_.assign(taken_.size(), false);
  ways_.clear();
  waiting_.clear();
  for (const std::uint32_t f : chosen)
    if (parts_[f].size() > 1)
      waiting_.push_back(f);
    else
      ways_.push_back({f, kNoLink, {{parts_[f].front().group}}});

  // What stays in an L1 is there whatever is chosen for the rest
  bool possible = true;
  for (std::uint32_t group = 0; colour && possible && group < shape_.groups; ++group) possible = l1_routes(group);

  // Flows of most L1s first: they leave the fewest choices
  std::ranges::stable_sort(waiting_, std::greater{}, [&](std::uint32_t f) { return parts_[f].size(); });
  if (possible && place(0)) return PlaneFit::kYes;
  return unknown_ ? PlaneFit::kUnknown : PlaneFit::kNo;
}

FredPlane PlaneRouter::plane() {
  FredPlane plane{.ways = ways_, .l1 = {}, .l2 = {}, .tried = tried_};
  std::ranges::sort(plane.ways, {}, &TreeWay::flow);
  for (std::uint32_t group = 0; group < shape_.groups; ++group) plane.l1.push_back(configured(l1_chip(group)));
  for (std::uint32_t chip = 0; chip < shape_.chips_per_plane; ++chip) plane.l2.push_back(configured(l2_chip(chip)));
  return plane;
}

// The next flow that crosses into some chip, and all after it.
bool PlaneRouter::place(std::size_t next) {
  if (next == waiting_.size()) return true;
  const std::size_t at = ways_.size();
  ways_.push_back({waiting_[next], 0, {}});
  for (const TreePart& part : parts_[waiting_[next]]) ways_[at].stops.push_back({part.group});
  for (std::uint32_t chip = 0; chip < shape_.chips_per_plane && !unknown_; ++chip) {
    ways_[at].chip = chip;
    if (link(next, 0)) return true;
    // As far as links go chips are alike: an empty one is tried once
    const auto before = std::span(ways_).first(at);
    if (!colour_ && std::ranges::none_of(before, [&](const TreeWay& way) { return way.chip == chip; })) break;
  }
  ways_.pop_back();
  return false;
}

// Links for the flow placed last, from its stop number `stop` on; then the flows after it.
bool PlaneRouter::link(std::size_t next, std::size_t stop) {
  const std::size_t at = ways_.size() - 1;
  const std::uint32_t chip = ways_[at].chip;
  const std::vector<TreePart>& parts = parts_[waiting_[next]];
  if (stop == parts.size()) return (!colour_ || l2_routes(chip)) && place(next + 1);

  const std::uint32_t group = parts[stop].group;
  const auto take = [&](const TreeStop& links, bool taken) {
    if (links.up != kNoLink) taken_[slot(0, group, chip, links.up)] = taken;
    if (links.down != kNoLink) taken_[slot(1, group, chip, links.down)] = taken;
  };
  for (const std::uint32_t up : free_links(!parts[stop].inputs.empty(), 0, group, chip))
    for (const std::uint32_t down : free_links(!parts[stop].outputs.empty(), 1, group, chip)) {
      unknown_ |= ++tried_ > options_.work_limit;
      if (unknown_) return false;
      const TreeStop links{group, up, down};
      ways_[at].stops[stop] = links;
      take(links, true);
      if ((!colour_ || l1_routes(group)) && link(next, stop + 1)) return true;
      take(links, false);
      ways_[at].stops[stop] = {group};
      if (unknown_) return false;
    }
  return false;
}

std::size_t PlaneRouter::slot(std::size_t direction, std::uint32_t group, std::uint32_t chip,
                              std::uint32_t link) const {
  return (direction * shape_.groups + group) * shape_.uplinks() + chip * shape_.links_per_chip + link;
}

// The links to try: none when none is needed, one when they are alike.
std::vector<std::uint32_t> PlaneRouter::free_links(bool needed, std::size_t direction, std::uint32_t group,
                                                   std::uint32_t chip) const {
  if (!needed) return {kNoLink};
  const bool one_will_do = links_alike_ || !colour_;
  std::vector<std::uint32_t> free;
  for (std::uint32_t l = 0; l < shape_.links_per_chip && !(one_will_do && free.size() == 1); ++l)
    if (!taken_[slot(direction, group, chip, l)]) free.push_back(l);
  return free;
}

bool PlaneRouter::l1_routes(std::uint32_t group) {
  return routes(l1_chip(group), [&] { return fmt::format("the L1 chiplet of group {}", group); });
}

bool PlaneRouter::l2_routes(std::uint32_t chip) {
  return routes(l2_chip(chip), [&] { return fmt::format("L2 chip {}", chip); });
}

// Does the chip route? Asked once for the same flows.
bool PlaneRouter::routes(const Ported& ported, const std::function<std::string()>& name) {
  std::vector<std::uint32_t> key{ported.ports};
  for (const Flow& flow : ported.chip.flows)
    for (const auto* side : {&flow.inputs, &flow.outputs}) {
      key.push_back(kNoLink);
      key.insert(key.end(), side->begin(), side->end());
    }
  if (known_.size() > kMostKnown) known_.clear();
  const auto [entry, is_new] = known_.try_emplace(std::move(key));
  Known& known = entry->second;
  if (is_new) {
    const FredRouting routing = route(fred(ported.ports), ported.chip.flows, options_.chip);
    if (const auto* blocked = std::get_if<FredBlocked>(&routing))
      known = {blocked->proven ? PlaneFit::kNo : PlaneFit::kUnknown, blocked->reason};
  }
  if (known.fit == PlaneFit::kYes) return true;
  unknown_ |= known.fit == PlaneFit::kUnknown;
  refusal_ = fmt::format("{}, whose own flows 0 … {} are parts of flows {}: {}", name(), ported.chip.flows.size() - 1,
                         fmt::join(ported.chip.owners, ", "), known.reason);
  return false;
}

PlaneRouter::Ported PlaneRouter::l1_chip(std::uint32_t group) const {
  Ported result{shape_.l1_ports(group), {}};
  const auto add = [&](Flow flow, std::uint32_t owner) {
    result.chip.flows.push_back(std::move(flow));
    result.chip.owners.push_back(owner);
  };
  for (const TreeWay& way : ways_)
    for (std::size_t s = 0; s < way.stops.size(); ++s) {
      const TreePart& part = parts_[way.flow][s];
      const TreeStop& stop = way.stops[s];
      if (stop.group != group) continue;
      if (way.chip == kNoLink) add({part.inputs, part.outputs}, way.flow);
      if (stop.up != kNoLink) add({part.inputs, {shape_.l1_uplink_port(way.chip, stop.up)}}, way.flow);
      if (stop.down != kNoLink) add({{shape_.l1_uplink_port(way.chip, stop.down)}, part.outputs}, way.flow);
    }
  return result;
}

PlaneRouter::Ported PlaneRouter::l2_chip(std::uint32_t chip) const {
  Ported result{shape_.l2_ports(), {}};
  for (const TreeWay& way : ways_) {
    if (way.chip != chip) continue;
    Flow flow;
    for (const TreeStop& stop : way.stops) {
      if (stop.up != kNoLink) flow.inputs.push_back(shape_.l2_port(stop.group, stop.up));
      if (stop.down != kNoLink) flow.outputs.push_back(shape_.l2_port(stop.group, stop.down));
    }
    result.chip.flows.push_back(std::move(flow));
    result.chip.owners.push_back(way.flow);
  }
  return result;
}

FredChip PlaneRouter::configured(Ported ported) {
  FredRouting routing = route(fred(ported.ports), ported.chip.flows, options_.chip);
  ported.chip.configuration = std::get<FredConfiguration>(std::move(routing));
  return std::move(ported.chip);
}

const FredSwitch& PlaneRouter::fred(std::uint32_t ports) {
  return switches_.try_emplace(ports, ports, shape_.middles).first->second;
}

}  // namespace helio::fabric
