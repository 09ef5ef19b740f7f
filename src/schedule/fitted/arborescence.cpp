// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/arborescence.h"

#include "base/budget.h"

namespace helio::schedule {

std::vector<std::uint32_t> cheapest_arborescence(std::uint32_t vertices, std::uint32_t root,
                                                 std::span<const WeighedArc> arcs) {
  Budget::spend(static_cast<std::int64_t>(4 * arcs.size()));

  // The cheapest that enters each
  std::vector<std::uint32_t> entering(vertices, kNoArc);
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    const std::uint32_t to = arcs[a].to;
    if (to == root || arcs[a].from == to) continue;
    if (entering[to] == kNoArc || arcs[a].cost < arcs[entering[to]].cost) entering[to] = a;
  }
  for (std::uint32_t v = 0; v < vertices; ++v)
    if (v != root && entering[v] == kNoArc) return {};

  // Circles: who meets its own trail
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> circle(vertices, kNone), trail(vertices, kNone);
  std::uint32_t circles = 0;
  for (std::uint32_t start = 0; start < vertices; ++start) {
    std::uint32_t v = start;
    while (v != root && trail[v] == kNone) {
      trail[v] = start;
      v = arcs[entering[v]].from;
    }
    if (v == root || trail[v] != start || circle[v] != kNone) continue;
    for (std::uint32_t u = v; circle[u] == kNone; u = arcs[entering[u]].from) circle[u] = circles;
    ++circles;
  }
  if (circles == 0) return entering;

  // The same with each of them as one vertex
  std::vector<std::uint32_t> number(vertices);
  std::uint32_t fewer = circles;
  for (std::uint32_t v = 0; v < vertices; ++v) number[v] = circle[v] != kNone ? circle[v] : fewer++;
  std::vector<WeighedArc> between;
  std::vector<std::uint32_t> origin;
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    const WeighedArc& arc = arcs[a];
    if (number[arc.from] == number[arc.to] || arc.to == root) continue;
    between.push_back({number[arc.from], number[arc.to], arc.cost - arcs[entering[arc.to]].cost});
    origin.push_back(a);
  }
  const std::vector<std::uint32_t> chosen = cheapest_arborescence(fewer, number[root], between);
  if (chosen.empty()) return {};
  for (const std::uint32_t choice : chosen)
    if (choice != kNoArc) entering[arcs[origin[choice]].to] = origin[choice];
  return entering;
}

}  // namespace helio::schedule
