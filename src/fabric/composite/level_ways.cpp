// SPDX-License-Identifier: Apache-2.0
#include "fabric/composite/level_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/mix.h"

namespace helio::fabric {

std::size_t LevelWays::meeting(NodeId a, NodeId b) const {
  std::size_t k = 0;
  while (levels_[k].instance_of(a) != levels_[k].instance_of(b)) ++k;
  return k;
}

void LevelWays::join(NodeId from, NodeId to, const Carriage& carriage, Way& way) {
  way.overhead = Time();
  lit_ = 0;
  has_lane_ = meeting(from, to);
  pass(from, to, carriage, way);
  if (lit_ > 0)
    for (flow::LinkUse& use : way.links) use.weight = weight_of(use.weight / way.bytes_factor);
}

std::uint32_t LevelWays::gateway_index(std::size_t k, NodeId node, NodeId other, const Carriage& carriage) {
  const Level& level = levels_[k];
  const auto position = static_cast<std::uint32_t>(node.value % level.unit);
  if (level.all) return position;
  const auto at = std::ranges::lower_bound(level.gateways, position);
  if (at != level.gateways.end() && *at == position) return static_cast<std::uint32_t>(at - level.gateways.begin());
  if (level.choice == GatewayChoice::kHash)
    return static_cast<std::uint32_t>(mixed(node.value, other.value) % level.gateways.size());
  if (level.choice == GatewayChoice::kNearest) return nearest_gateway(k, node, carriage);
  return static_cast<std::uint32_t>(position * level.gateways.size() / level.unit);
}

std::uint32_t LevelWays::nearest_gateway(std::size_t k, NodeId node, const Carriage& carriage) {
  const Level& level = levels_[k];
  const auto position = static_cast<std::uint32_t>(node.value % level.unit);
  const auto [known, fresh] = nearest_.try_emplace({k, position}, 0);
  if (!fresh) return known->second;
  std::vector<std::uint32_t> best;
  std::pair<Time, std::size_t> least;
  const Meanwhile keep_lit(lit_, 0);
  const Meanwhile keep_lane(has_lane_, std::optional<std::size_t>());
  for (std::uint32_t index = 0; index < level.gateways.size(); ++index) {
    Way way;
    pass(node, gateway(k, node, index), carriage, way);
    const std::pair cost(way.latency, way.links.size());
    if (best.empty() || cost < least) best.clear(), least = cost;
    if (cost == least) best.push_back(index);
  }
  return nearest_[{k, position}] = best[position * best.size() / level.unit];
}

NodeId LevelWays::gateway(std::size_t k, NodeId in_unit, std::uint32_t index) const {
  const Level& level = levels_[k];
  return {static_cast<std::uint32_t>(level.unit_of(in_unit) * level.unit + level.gateways[index])};
}

void LevelWays::cross_gate(std::size_t k, NodeId in_unit, std::uint32_t index, bool out,
                           std::vector<flow::LinkUse>& links) const {
  const Level& level = levels_[k];
  if (!level.gateway_rate) return;
  const auto gate = static_cast<std::uint32_t>(level.unit_of(in_unit) * level.gateways.size() + index);
  links.push_back({flow::ResourceId{offset_ + (out ? level.gates_out : level.gates_in).value + gate}, 1});
}

// Appends the way, weights by byte of the message.
void LevelWays::pass(NodeId from, NodeId to, const Carriage& carriage, Way& way) {
  if (from == to) return;
  const std::size_t k = meeting(from, to);
  const Level& level = levels_[k];
  if (!level.fabric->gives_ways())
    throw Blocked{
        fmt::format("level '{}': '{}' carries no single messages", level.name, level.fabric->capabilities().fabric)};
  if (level.fabric->capabilities().wavelengths > 0 && k != has_lane_)
    throw Blocked{fmt::format(
        "level '{}': a message that only passes through on its way to a gateway has no wavelength", level.name)};
  std::uint32_t out = 0, in = 0;
  if (k > 0) {
    in = gateway_index(k, to, from, carriage);
    out = level.choice == GatewayChoice::kRail ? in : gateway_index(k, from, to, carriage);
    pass(from, gateway(k, from, out), carriage, way);
    cross_gate(k, from, out, true, way.links);
  }
  Way here;
  here.overhead = level.fabric->capabilities().step_overhead;
  carriers_[k][level.instance_of(from)]->add_way(level.number_of(from), level.number_of(to), carriage, here);
  append(here, level, way);
  if (k > 0) {
    cross_gate(k, to, in, false, way.links);
    pass(gateway(k, to, in), to, carriage, way);
  }
}

void LevelWays::append(const Way& here, const Level& level, Way& way) {
  const bool lit = !here.channels.empty() || here.controlled;
  if (lit && lit_++ > 0)
    throw Blocked{fmt::format("level '{}': a message would need light on two levels at once", level.name)};
  for (const flow::LinkUse& use : here.links)
    way.links.push_back({use.link, here.bytes_factor == 1 ? use.weight : weight_of(use.weight * here.bytes_factor)});
  way.channels.insert(way.channels.end(), here.channels.begin(), here.channels.end());
  way.latency += here.latency;
  way.overhead = std::max(way.overhead, here.overhead);
  way.hops = std::max(way.hops, here.hops);
  if (!lit) return;
  way.bytes_factor = here.bytes_factor;
  way.circuit = here.circuit;
  way.always_setup = here.always_setup;
  way.controlled = here.controlled;
  way.controller = here.controller;
  way.agent = here.agent;
  way.claim = here.claim;
}

void LevelWays::add_door(std::size_t k, bool out, NodeId holder, const Carriage& carriage, Doors::Door& door) {
  const std::uint32_t index = gateway_index(k, holder, holder, carriage);
  const NodeId gate = gateway(k, holder, index);
  Way way;
  lit_ = 0;
  has_lane_.reset();
  if (gate != holder) out ? pass(holder, gate, carriage, way) : pass(gate, holder, carriage, way);
  if (lit_ > 0)
    throw Blocked{fmt::format("level '{}': node {} is no gateway, and its way to one needs light", levels_[k].name,
                              holder.value)};
  cross_gate(k, holder, index, out, way.links);
  for (const flow::LinkUse& use : way.links) {
    const auto same = std::ranges::find(door.links, use.link, &flow::LinkUse::link);
    if (same == door.links.end())
      door.links.push_back(use);
    else
      same->weight += use.weight;
  }
  door.latency = std::max(door.latency, way.latency);
}

}  // namespace helio::fabric
