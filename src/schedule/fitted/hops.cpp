// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/hops.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "base/budget.h"

namespace helio::schedule {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Hops::Hops(const Network& network, const std::vector<std::vector<NodeId>>& groups)
    : network_(network), groups_(groups), leaving_(network.vertices), reached_(groups.size()) {
  for (std::uint32_t a = 0; a < network.arcs.size(); ++a) leaving_[network.arcs[a].from].push_back(a);
  for (const std::vector<NodeId>& group : groups) {
    std::vector<Position>& position = position_.emplace_back(network.vertices, -1);
    for (std::size_t p = 0; p < group.size(); ++p) position[group[p].value] = static_cast<Position>(p);
  }
  straight_ = groups.size() == 1 && groups.front().size() == network.vertices;
  if (!straight_) between_.resize(groups.front().size() * groups.front().size());
  if (straight_)
    for (std::uint32_t a = 0; a < network.arcs.size(); ++a)
      hops_.push_back({position_[0][network.arcs[a].from], position_[0][network.arcs[a].to], {a}});
}

bool Hops::is_only(std::uint32_t arc) const {
  const Network::Arc& asked = network_.arcs[arc];
  return std::ranges::count_if(leaving_[asked.from],
                               [&](std::uint32_t other) { return network_.arcs[other].to == asked.to; }) == 1;
}

HopId Hops::known(Position from, Position to, const std::vector<std::uint32_t>& arcs) {
  std::vector<HopId>& others = between_[static_cast<std::size_t>(from * ranks() + to)];
  const auto same = std::ranges::find_if(others, [&](HopId other) { return hops_[other].arcs == arcs; });
  if (same != others.end()) return *same;
  others.push_back(static_cast<HopId>(hops_.size()));
  hops_.push_back({from, to, arcs});
  return others.back();
}

// Dijkstra, which does not go on from other members.
void Hops::cheapest_from(std::uint32_t start, std::uint32_t group, std::span<const double> cost_of_arc) {
  Budget::spend(static_cast<std::int64_t>(8 * network_.arcs.size()));
  using Entry = std::pair<double, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<double>& far = reached_[group].far;
  std::vector<std::uint32_t>& last = reached_[group].last;
  far.assign(network_.vertices, kNever);
  last.resize(network_.vertices);
  far[start] = 0;
  queue.push({0, start});
  while (!queue.empty()) {
    const auto [at, v] = queue.top();
    queue.pop();
    if (at > far[v] || (v != start && position_[group][v] >= 0)) continue;
    for (const std::uint32_t a : leaving_[v])
      if (const std::uint32_t to = network_.arcs[a].to; at + cost_of_arc[a] < far[to]) {
        far[to] = at + cost_of_arc[a];
        last[to] = a;
        queue.push({far[to], to});
      }
  }
}

std::vector<Hops::Offer> Hops::offers(std::span<const double> cost_of_arc) {
  std::vector<Offer> offers;
  if (straight_) {
    for (HopId hop = 0; hop < hops_.size(); ++hop) offers.push_back({hop, cost_of_arc[hop]});
    return offers;
  }
  const Position n = ranks();
  std::vector<std::uint32_t> arcs;
  for (Position from = 0; from < n; ++from) {
    const auto node = [&](std::size_t group, Position p) { return groups_[group][static_cast<std::size_t>(p)].value; };
    for (std::uint32_t g = 0; g < groups_.size(); ++g) cheapest_from(node(g, from), g, cost_of_arc);
    for (Position to = 0; to < n; ++to) {
      if (to == from) continue;
      double cost = 0;
      arcs.clear();
      for (std::size_t g = 0; g < groups_.size() && cost < kNever; ++g) {
        cost += reached_[g].far[node(g, to)];
        if (cost == kNever) break;
        const auto before = static_cast<std::ptrdiff_t>(arcs.size());
        for (std::uint32_t v = node(g, to); v != node(g, from); v = network_.arcs[arcs.back()].from)
          arcs.push_back(reached_[g].last[v]);
        std::reverse(arcs.begin() + before, arcs.end());
      }
      if (cost < kNever) offers.push_back({known(from, to, arcs), cost});
    }
  }
  return offers;
}

}  // namespace helio::schedule
