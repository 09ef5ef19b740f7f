// SPDX-License-Identifier: Apache-2.0
#include "testbed/lit_switch.h"

#include <fmt/format.h>

#include <algorithm>

namespace helio::testbed {

LitSwitch::LitSwitch(const Plan& plan, bool ideal)
    : plan_(plan),
      ideal_(ideal),
      channels_(plan.resources),
      circuits_(plan.nodes()),
      out_free_(plan.nodes()),
      in_free_(plan.nodes()) {}

std::vector<flow::ResourceId> LitSwitch::taken(NodeId node, const Circuit& circuit) const {
  return {{plan_.transmitters.value + node.value},
          {plan_.receivers.value + circuit.lit.to.value},
          {plan_.lights.value + circuit.light}};
}

std::variant<LitSwitch::Lit, std::string> LitSwitch::tune(NodeId node, std::uint32_t light, Time told) {
  const fabric::OddlGeometry& g = plan_.options.geometry;
  Circuit& circuit = circuits_[node.value];
  if (circuit.held) return fmt::format("node {} tunes away from a flow that has not ended", node.value);
  if (light >= g.lights() || light / g.channels / g.planes != g.group_of(node))
    return fmt::format("node {} has no light {} on its group's fibre", node.value, light);
  const std::uint32_t channel = light % g.channels;
  if (!plan_.wss[light]) return fmt::format("the slice leaves channel {} of group {} dark", channel, g.group_of(node));
  circuit.light = light;
  circuit.lit.to = g.reached(*plan_.wss[light], channel);
  if (circuit.lit.to == node || circuit.lit.to.value >= plan_.nodes())
    return fmt::format("channel {} of group {} leads to no other node", channel, g.group_of(node));
  const std::vector<flow::ResourceId> wanted = taken(node, circuit);
  if (const flow::ResourceId closed = channels_.first_closed(wanted, 0); closed.valid())
    return fmt::format("collision: node {} lights node {} while node {} holds the {}", node.value, circuit.lit.to.value,
                       channels_[closed].holder.frame, plan_.resources.name(closed));

  // A circuit is who sends, who hears, and the light between them
  const std::uint64_t name =
      1 + (std::uint64_t{node.value} * plan_.nodes() + circuit.lit.to.value) * g.lights() + light;
  const Time setup = channels_.take(wanted, {node.value, 0}, 0, name, !plan_.options.hold, told);
  circuit.held = true;
  circuit.lit.changed = !setup.is_zero();
  circuit.lit.from = told + plan_.options.step_overhead + setup + plan_.options.latency;
  return circuit.lit;
}

std::variant<Time, std::string> LitSwitch::pass(NodeId node, NodeId to, std::size_t bytes, Time offered) {
  const Circuit& circuit = circuits_[node.value];
  if (to == node || to.value >= plan_.nodes()) return fmt::format("node {} sends to node {}", node.value, to.value);
  Time start = std::max({offered, out_free_[node.value], in_free_[to.value]});
  if (!ideal_) {
    if (!circuit.held) return fmt::format("node {} sends to node {} in the dark", node.value, to.value);
    if (circuit.lit.to != to)
      return fmt::format("node {} sends to node {}, and its light leads to node {}", node.value, to.value,
                         circuit.lit.to.value);
    start = std::max(start, circuit.lit.from);
  }
  const Time end = start + Time::seconds(seconds_at(Bytes{static_cast<double>(bytes)}, plan_.options.rate));
  out_free_[node.value] = in_free_[to.value] = end;
  return end;
}

void LitSwitch::release(NodeId node, Time at) {
  Circuit& circuit = circuits_[node.value];
  if (!circuit.held) return;
  std::vector<simulate::Waiter> nobody;
  channels_.release(taken(node, circuit), at, nobody);
  circuit.held = false;
}

}  // namespace helio::testbed
