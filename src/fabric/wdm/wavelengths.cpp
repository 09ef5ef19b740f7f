// SPDX-License-Identifier: Apache-2.0
#include "fabric/wdm/wavelengths.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/budget.h"

namespace helio::fabric {
namespace {

// The segment that the fewest arcs cross.
std::uint32_t quietest_segment(std::span<const Arc> arcs, std::uint32_t segments) {
  std::vector<std::int64_t> change(segments + 1, 0);
  for (const Arc& arc : arcs) {
    const std::uint32_t end = arc.start + arc.hops;
    ++change[arc.start];
    --change[std::min(end, segments)];
    if (end > segments) {
      ++change[0];
      --change[end - segments];
    }
  }
  std::uint32_t quietest = 0;
  std::int64_t load = 0, least = 0;
  for (std::uint32_t i = 0; i < segments; ++i) {
    load += change[i];
    if (i == 0 || load < least) least = load, quietest = i;
  }
  return quietest;
}

}  // namespace

std::uint32_t colour_arcs(std::span<const Arc> arcs, std::uint32_t segments, std::vector<std::uint32_t>& colours) {
  colours.assign(arcs.size(), 0);
  if (arcs.empty()) return 0;

  // Positions counted from the cut; an arc that crosses it covers [0, tail) and [start, segments)
  const std::uint32_t cut = quietest_segment(arcs, segments);
  const auto start = [&](const Arc& arc) { return (arc.start + segments - cut) % segments; };
  const auto crosses = [&](const Arc& arc) { return start(arc) + arc.hops > segments; };
  std::vector<std::uint32_t> order(arcs.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool x = crosses(arcs[a]), y = crosses(arcs[b]);
    if (x != y) return x;
    if (x) return start(arcs[a]) + arcs[a].hops < start(arcs[b]) + arcs[b].hops;  // the shortest tail is free first
    return start(arcs[a]) != start(arcs[b]) ? start(arcs[a]) < start(arcs[b]) : arcs[a].hops > arcs[b].hops;
  });

  struct Colour {
    std::uint32_t blocked_from;  // an arc that crosses the cut starts here
  };
  std::vector<Colour> known;
  std::set<std::pair<std::uint32_t, std::uint32_t>> busy;  // until where, which colour
  std::set<std::uint32_t> free;
  for (const std::uint32_t index : order) {
    Budget::spend(16);
    const Arc& arc = arcs[index];
    const std::uint32_t from = start(arc), to = from + arc.hops;
    std::uint32_t colour = static_cast<std::uint32_t>(known.size());
    if (crosses(arc)) {
      known.push_back({from});
      busy.insert({to - segments, colour});
    } else {
      while (!busy.empty() && busy.begin()->first <= from) {
        free.insert(busy.begin()->second);
        busy.erase(busy.begin());
      }
      for (const std::uint32_t candidate : free)
        if (to <= known[candidate].blocked_from) {
          colour = candidate;
          break;
        }
      if (colour == known.size())
        known.push_back({segments});
      else
        free.erase(colour);
      busy.insert({to, colour});
    }
    colours[index] = colour;
  }
  return static_cast<std::uint32_t>(known.size());
}

}  // namespace helio::fabric
