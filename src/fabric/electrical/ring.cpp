// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/ring.h"

#include <fmt/format.h>

#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

class Ring : public RoutedFabric {
 public:
  explicit Ring(const Parameters& parameters)
      : nodes_(static_cast<std::uint32_t>(parameters.integer("nodes"))), latency_(parameters.time("latency")) {
    const BitRate rate = parameters.rate("rate");
    capabilities_.fabric = "ring";
    capabilities_.nodes = nodes_;
    capabilities_.adjacency = schedule::Adjacency::kRing;
    capabilities_.link_rate = rate;
    capabilities_.injection = capabilities_.ejection = 2 * rate;
    capabilities_.hop_latency = capabilities_.nearest_latency = latency_;
    capabilities_.farthest_latency = latency_ * (nodes_ / 2);
    capabilities_.step_overhead = parameters.time("step_overhead");
    capabilities_.directions = 2;
    if (nodes_ < 2) return;
    capabilities_.cuts = {{"half of the ring", nodes_ / 2, 2 * rate, 2 * rate}};
    const auto name = [n = nodes_](std::uint32_t i) {
      return i < n ? fmt::format("ring link {} to {}", i, (i + 1) % n)
                   : fmt::format("ring link {} to {}", i - n, (i - 1) % n);
    };
    links_ = resources_.add_links(2 * nodes_, rate, {name, "ring link node to node"});
    capabilities_.network = [n = nodes_, first = links_.value, rate, latency = latency_] {
      schedule::Network network{.nodes = n, .vertices = n, .arcs = {}};
      for (std::uint32_t i = 0; i < n; ++i) network.arcs.push_back({i, (i + 1) % n, rate, latency, first + i});
      for (std::uint32_t i = 0; i < n; ++i) network.arcs.push_back({i, (i + n - 1) % n, rate, latency, first + n + i});
      return network;
    };
  }

  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) const override {
    const schedule::Lane& lane = carriage.move.lane;
    const std::uint32_t forward = (to.value + nodes_ - from.value) % nodes_;
    const bool clockwise = lane.direction >= 0 ? lane.direction == 0 : forward <= nodes_ - forward;
    const std::uint32_t hops = clockwise ? forward : nodes_ - forward;
    std::uint32_t at = from.value;
    for (std::uint32_t i = 0; i < hops; ++i) {
      way.cross(flow::ResourceId{links_.value + (clockwise ? 0 : nodes_) + at});
      at = clockwise ? (at + 1 == nodes_ ? 0 : at + 1) : (at == 0 ? nodes_ - 1 : at - 1);
    }
    way.latency += latency_ * hops;
  }

 private:
  std::uint32_t nodes_;
  Time latency_;
  flow::ResourceId links_;  // clockwise out of node i, then counter-clockwise out of node i
};

}  // namespace

Description describe_ring() {
  const std::string example = "all-reduce fabric=ring nodes=8 bytes=1MB algorithm=ring";
  return {"ring",
          "bidirectional electrical ring, one link per direction between neighbours",
          "Patarasuk & Yuan, Bandwidth optimal all-reduce algorithms, JPDC 2009",
          {nodes_parameter("all-reduce fabric=ring bytes=1MB algorithm=ring", "16777216"),
           rate_parameter(example, "one direction of one link"),
           latency_parameter(example, "500 ns",
                             "per link crossed; the default is a short electrical hop with its endpoint logic, ours"),
           step_overhead_parameter(example)}};
}

std::unique_ptr<Fabric> make_ring(const Parameters& parameters) { return std::make_unique<Ring>(parameters); }

}  // namespace helio::fabric
