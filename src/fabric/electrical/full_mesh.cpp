// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/full_mesh.h"

#include <fmt/format.h>

#include "fabric/parameters.h"
#include "fabric/routed.h"

namespace helio::fabric {
namespace {

class FullMesh : public RoutedFabric {
 public:
  explicit FullMesh(const Parameters& parameters)
      : nodes_(static_cast<std::uint32_t>(parameters.integer("nodes"))), latency_(parameters.time("latency")) {
    const BitRate rate = parameters.rate("rate");
    capabilities_.fabric = "full-mesh";
    capabilities_.nodes = nodes_;
    capabilities_.link_rate = rate;
    capabilities_.injection = capabilities_.ejection = (nodes_ > 1 ? nodes_ - 1.0 : 1.0) * rate;
    capabilities_.hop_latency = capabilities_.nearest_latency = capabilities_.farthest_latency = latency_;
    capabilities_.step_overhead = parameters.time("step_overhead");
    if (nodes_ < 2) return;
    const auto name = [n = nodes_](std::uint32_t i) {
      const std::uint32_t from = i / (n - 1), skip = i % (n - 1);
      return fmt::format("link {} to {}", from, skip < from ? skip : skip + 1);
    };
    links_ = resources_.add_links(nodes_ * (nodes_ - 1), capabilities_.link_rate, {name, "link node to node"});
    capabilities_.network = [n = nodes_, first = links_.value, rate, latency = latency_] {
      schedule::Network network{.nodes = n, .vertices = n, .arcs = {}};
      for (std::uint32_t from = 0, link = first; from < n; ++from)
        for (std::uint32_t to = 0; to < n; ++to)
          if (to != from) network.arcs.push_back({from, to, rate, latency, link++});
      return network;
    };
  }

  void route(NodeId from, NodeId to, const Carriage&, Way& way) const override {
    const std::uint32_t skip = to.value < from.value ? to.value : to.value - 1;
    way.cross(flow::ResourceId{links_.value + from.value * (nodes_ - 1) + skip});
    way.latency += latency_;
  }

 private:
  std::uint32_t nodes_;
  Time latency_;
  flow::ResourceId links_;
};

}  // namespace

Description describe_full_mesh() {
  const std::string example = "all-reduce fabric=full-mesh nodes=8 bytes=1MB algorithm=direct";
  return {"full-mesh",
          "a link each way between every two nodes",
          "the complete graph",
          {nodes_parameter("all-reduce fabric=full-mesh bytes=1MB algorithm=direct", "16384"),
           rate_parameter(example, "one direction of one link"),
           latency_parameter(example, "500 ns", "per link crossed; the default is a short electrical hop, ours"),
           step_overhead_parameter(example)}};
}

std::unique_ptr<Fabric> make_full_mesh(const Parameters& parameters) { return std::make_unique<FullMesh>(parameters); }

}  // namespace helio::fabric
