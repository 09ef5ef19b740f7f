// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/switch.h"

#include <fmt/format.h>

#include "fabric/lowering.h"
#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

class Switch : public RoutedFabric {
 public:
  explicit Switch(const Parameters& parameters)
      : nodes_(static_cast<std::uint32_t>(parameters.integer("nodes"))),
        reducers_(static_cast<std::uint32_t>(parameters.integer("reducers"))),
        latency_(parameters.time("latency")) {
    const BitRate rate = parameters.rate("rate");
    capabilities_.fabric = "switch";
    capabilities_.nodes = nodes_;
    capabilities_.link_rate = capabilities_.injection = capabilities_.ejection = rate;
    capabilities_.hop_latency = latency_;
    capabilities_.nearest_latency = capabilities_.farthest_latency = latency_ * 2;
    capabilities_.step_overhead = parameters.time("step_overhead");
    capabilities_.reduces = capabilities_.multicasts = reducers_ > 0;

    up_ = resources_.add_links(
        nodes_, rate, {[](std::uint32_t i) { return fmt::format("link {} to switch", i); }, "link node to switch"});
    down_ = resources_.add_links(
        nodes_, rate, {[](std::uint32_t i) { return fmt::format("link switch to {}", i); }, "link switch to node"});
    operators_ = resources_.add_channels(reducers_, BitRate{0}, {},
                                         [](std::uint32_t i) { return fmt::format("switch operator {}", i); });
    capabilities_.network = [n = nodes_, up = up_.value, down = down_.value, rate, latency = latency_] {
      schedule::Network network{.nodes = n, .vertices = n + 1, .arcs = {}};
      for (std::uint32_t i = 0; i < n; ++i) {
        network.arcs.push_back({i, n, rate, latency, up + i});
        network.arcs.push_back({n, i, rate, latency, down + i});
      }
      return network;
    };
  }

  Bill bill() const override {
    Bill bill;
    const BitRate rate = capabilities_.link_rate;
    const std::uint32_t ends = bill.add({"serdes", 1.0 * nodes_, "a node's end of its link", 2 * rate}),
                        cables = bill.add({"copper-cable", 1.0 * nodes_, "node to switch", 2 * rate}),
                        chip = bill.add({"switch-chip", 1, "the switch", nodes_ * rate});
    bill.cross(up_, nodes_, {{ends}, {cables}, {chip}});
    bill.cross(down_, nodes_, {{ends}, {cables}});
    return bill;
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override {
    way.cross(up(from));
    way.cross(down(to));
    way.latency += latency_ * 2;
  }

  void route_set(std::span<const NodeId> from, std::span<const NodeId> to, const Carriage& carriage,
                 Way& way) const override {
    for (NodeId node : from) way.cross(up(node));
    for (NodeId node : to) way.cross(down(node));
    way.hold({operators_.value + carriage.operator_index});
    way.latency += latency_ * 2;
  }

  std::optional<Refusal> object(const schedule::Schedule& schedule, const schedule::CollectiveRequest& request,
                                const LowerOptions& options) const override {
    if (std::optional<Refusal> refusal = RoutedFabric::object(schedule, request, options)) return refusal;
    const std::uint32_t each = most_in_fabric_moves(schedule);
    const std::size_t groups = request.groups.size();
    if (each * groups <= reducers_) return std::nullopt;
    Refusal refusal;
    refusal.reason = fmt::format("{} groups want {} in-fabric operators at once, the switch has {}", groups,
                                 each * groups, reducers_);
    refusal.advice = "Raise fabric.reducers, let groups wait for each other (" + advised("remedy", "block") +
                     ") or reduce at the endpoints (" + advised("remedy", "endpoint") + ").";
    for (std::uint32_t g = reducers_ / each; g < groups; ++g) refusal.groups.push_back(g);
    return refusal;
  }

 private:
  flow::ResourceId up(NodeId node) const { return {up_.value + node.value}; }
  flow::ResourceId down(NodeId node) const { return {down_.value + node.value}; }

  std::uint32_t nodes_, reducers_;
  Time latency_;
  flow::ResourceId up_, down_;  // by node
  flow::ResourceId operators_;
};

}  // namespace

Description describe_switch() {
  const std::string example = "all-reduce fabric=switch nodes=8 bytes=1MB algorithm=ring";
  const Parameter reducers{
      .name = "reducers",
      .type = ParameterType::kInteger,
      .fallback = "0",
      .minimum = "0",
      .maximum = "65536",
      .description = "operators in the switch that reduce and multicast at line rate; each serves one group at a time",
      .matters = {"all-reduce fabric=switch nodes=8 bytes=1MB algorithm=in-fabric remedy=endpoint", "1", ""}};
  return {"switch",
          "one electrical crossbar, optionally with operators that reduce and multicast",
          "the ideal switch; in-network operators after Graham et al., SHARP, COMHPC 2016",
          {nodes_parameter("all-reduce fabric=switch bytes=1MB algorithm=ring", "16777216"),
           rate_parameter(example, "one direction of one port"),
           latency_parameter(example, "500 ns",
                             "per link crossed, two through the switch; the default is a short electrical hop, ours"),
           step_overhead_parameter(example), reducers}};
}

std::unique_ptr<Fabric> make_switch(const Parameters& parameters) { return std::make_unique<Switch>(parameters); }

}  // namespace helio::fabric
