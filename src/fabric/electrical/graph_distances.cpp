// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_distances.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/budget.h"

namespace helio::fabric {
namespace {

constexpr std::size_t kMostMeasured = 4'000'000;  // ranks times arcs, for distances between all pairs

// The least latency from `start` to every vertex (Dijkstra).
std::vector<Time> latencies_from(const Graph& graph, const ArcIndex& leaving, std::uint32_t start) {
  Budget::spend(static_cast<std::int64_t>(8 * graph.vertices.size() + 8 * graph.arcs.size()));
  std::vector<Time> distance(graph.vertices.size(), Time::max());
  using Entry = std::pair<Time, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[start] = Time();
  queue.push({Time(), start});
  while (!queue.empty()) {
    const auto [far, v] = queue.top();
    queue.pop();
    if (far > distance[v]) continue;
    for (const std::uint32_t i : leaving.of(v)) {
      const Graph::Arc& arc = graph.arcs[i];
      if (const Time there = far + *arc.latency; there < distance[arc.to])
        distance[arc.to] = there, queue.push({there, arc.to});
    }
  }
  return distance;
}

bool same_both_ways(const Graph& graph) {
  std::unordered_map<std::uint64_t, Time> latency;
  const auto key = [](std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(a) << 32 | b; };
  for (const Graph::Arc& arc : graph.arcs) latency[key(arc.from, arc.to)] = *arc.latency;
  return std::ranges::all_of(graph.arcs, [&](const Graph::Arc& arc) {
    const auto back = latency.find(key(arc.to, arc.from));
    return back != latency.end() && back->second == *arc.latency;
  });
}

}  // namespace

Distances distances(const Graph& graph, const ArcIndex& leaving) {
  const auto farthest_rank = [&](const std::vector<Time>& from_one) {
    return *std::ranges::max_element(graph.ranks, {}, [&](std::uint32_t rank) { return from_one[rank]; });
  };

  if (graph.ranks.size() * graph.arcs.size() <= kMostMeasured) {
    Distances result{Time::max(), Time()};
    Time least_out = Time::max();
    std::vector<Time> in(graph.vertices.size());
    for (const std::uint32_t rank : graph.ranks) {
      const std::vector<Time> from_rank = latencies_from(graph, leaving, rank);
      for (const std::uint32_t other : graph.ranks) {
        if (other != rank) result.nearest = std::min(result.nearest, from_rank[other]);
        in[other] = std::max(in[other], from_rank[other]);
      }
      const Time out = from_rank[farthest_rank(from_rank)];
      least_out = std::min(least_out, out);
      result.farthest = std::max(result.farthest, out);
    }
    Time least_in = Time::max();
    for (const std::uint32_t rank : graph.ranks) least_in = std::min(least_in, in[rank]);
    if (graph.ranks.size() == 1) return {};
    result.farthest = std::min({result.farthest, least_out * 2, least_in * 2});
    return result;
  }

  // Too many pairs. Two ranks are joined directly, or a link leaves one and another enters the other
  Time direct = Time::max(), out = Time::max(), in = Time::max();
  for (const Graph::Arc& arc : graph.arcs) {
    const bool from_rank = !graph.vertices[arc.from].is_switch, to_rank = !graph.vertices[arc.to].is_switch;
    if (from_rank && to_rank)
      direct = std::min(direct, *arc.latency);
    else if (from_rank)
      out = std::min(out, *arc.latency);
    else if (to_rank)
      in = std::min(in, *arc.latency);
  }
  Distances result;
  result.nearest = out == Time::max() || in == Time::max() ? direct : std::min(direct, out + in);
  result.farthest = result.nearest;

  // The farthest from the farthest from anywhere is far; where it is as far back, no root is near to both
  if (same_both_ways(graph)) {
    const std::vector<Time> from_end =
        latencies_from(graph, leaving, farthest_rank(latencies_from(graph, leaving, graph.ranks.front())));
    result.farthest = std::max(result.nearest, from_end[farthest_rank(from_end)]);
  }
  return result;
}

}  // namespace helio::fabric
