// SPDX-License-Identifier: Apache-2.0
// Graph files on any text; what was read keeps the invariant that fabric/electrical/graph_file.h promises.
#include "fabric/electrical/graph_file.h"
#include "reading.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace helio;
  fuzz::reads([&] {
    const fabric::Graph graph = fabric::parse_graph(fuzz::as_text(data, size), "fuzz.graph");
    if (graph.ranks.empty()) fuzz::finding("a graph without ranks");
    for (const fabric::Graph::Arc& arc : graph.arcs) {
      if (arc.from >= graph.vertices.size() || arc.to >= graph.vertices.size()) fuzz::finding("an arc to nowhere");
      if (arc.from == arc.to) fuzz::finding("an arc to itself");
      if (!(arc.rate.value > 0) || arc.count == 0) fuzz::finding("an arc that carries nothing");
    }
    const fabric::ArcIndex leaving(graph, fabric::ArcIndex::Which::kLeaving);
    const std::vector<std::uint32_t> hops = leaving.hops(graph, graph.ranks.front());
    for (const std::uint32_t rank : graph.ranks)
      if (hops[rank] == fabric::ArcIndex::kNowhere) fuzz::finding("a rank that cannot be reached");
  });
  return 0;
}
