// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_network.h"

namespace helio::fabric {

schedule::Network network_of(const Graph& graph, bool sprayed) {
  schedule::Network network{.nodes = static_cast<std::uint32_t>(graph.ranks.size()),
                            .vertices = static_cast<std::uint32_t>(graph.vertices.size()),
                            .arcs = {}};
  std::vector<std::uint32_t> number(graph.vertices.size());
  for (std::uint32_t r = 0; r < network.nodes; ++r) number[graph.ranks[r]] = r;
  std::uint32_t next = network.nodes;
  for (std::uint32_t v = 0; v < network.vertices; ++v)
    if (graph.vertices[v].is_switch) number[v] = next++;
  network.names.resize(network.vertices);
  for (std::uint32_t v = 0; v < network.vertices; ++v) network.names[number[v]] = graph.vertices[v].name;

  std::uint32_t link = 0;
  for (const Graph::Arc& arc : graph.arcs)
    for (std::uint32_t i = 0; i < (sprayed ? 1 : arc.count); ++i)
      network.arcs.push_back({number[arc.from], number[arc.to], (sprayed ? arc.count : 1) * arc.rate,
                              arc.latency.value_or(Time()), link++});
  return network;
}

}  // namespace helio::fabric
