// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/tightest_cut.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>

#include "base/budget.h"
#include "base/error.h"

namespace helio::schedule {
namespace {

using Capacity = std::int64_t;
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct EdgeData {
  Capacity capacity = 0, residual = 0;
  Traits::edge_descriptor reverse;
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, EdgeData>;

// Rates as whole numbers, the largest of them 2^30 or a little less: a product with the sources of a cut still fits.
constexpr double kLargest = 1 << 30;

// The network with a super-source that gives every source as much.
class Flows {
 public:
  Flows(const Network& network, std::span<const std::uint32_t> sources)
      : network_(network), sources_(sources), graph_(network.vertices + 1) {
    double most = 0;
    for (const Network::Arc& arc : network.arcs) most = std::max(most, arc.rate.value);
    for (const Network::Arc& arc : network.arcs) {
      rates_.push_back(static_cast<Capacity>(std::ceil(arc.rate.value / most * kLargest)));
      edges_.push_back(add(arc.from, arc.to));
    }
    for (const std::uint32_t source : sources) supplies_.push_back(add(network.vertices, source));
  }

  // The set on the near side of a minimum cut where each source has `rate` / `per` and the sink lacks some of it; else empty.
  std::vector<bool> cut_before(std::uint32_t sink, Capacity rate, Capacity per) {
    Budget::spend(static_cast<std::int64_t>(100 * edges_.size()));
    for (std::size_t i = 0; i < edges_.size(); ++i) graph_[edges_[i]].capacity = rates_[i] * per;
    for (const auto& supply : supplies_) graph_[supply].capacity = rate;
    const Capacity flow =
        boost::push_relabel_max_flow(graph_, network_.vertices, sink, boost::get(&EdgeData::capacity, graph_),
                                     boost::get(&EdgeData::residual, graph_), boost::get(&EdgeData::reverse, graph_),
                                     boost::get(boost::vertex_index, graph_));
    if (flow == rate * static_cast<Capacity>(sources_.size())) return {};

    // Whoever can still send to the sink is on the far side
    std::vector<bool> near(network_.vertices, true);
    std::vector<std::size_t> queue{sink};
    near[sink] = false;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const auto& edge : boost::make_iterator_range(boost::out_edges(queue[i], graph_))) {
        const auto from = boost::target(edge, graph_);
        if (from == network_.vertices || !near[from] || graph_[graph_[edge].reverse].residual == 0) continue;
        near[from] = false;
        queue.push_back(from);
      }
    return near;
  }

  struct Quotient {
    Capacity rate = 0, sources = 0;
  };
  Quotient across(const std::vector<bool>& inside) const {
    Quotient quotient;
    for (std::size_t i = 0; i < rates_.size(); ++i)
      if (inside[network_.arcs[i].from] && !inside[network_.arcs[i].to]) quotient.rate += rates_[i];
    for (const std::uint32_t source : sources_) quotient.sources += inside[source];
    return quotient;
  }

 private:
  Traits::edge_descriptor add(std::uint32_t from, std::uint32_t to) {
    const auto there = boost::add_edge(from, to, graph_).first, back = boost::add_edge(to, from, graph_).first;
    graph_[there].reverse = back;
    graph_[back].reverse = there;
    return there;
  }

  const Network& network_;
  std::span<const std::uint32_t> sources_;
  FlowGraph graph_;
  std::vector<Capacity> rates_;
  std::vector<Traits::edge_descriptor> edges_, supplies_;
};

}  // namespace

std::string name_of(const Network& network, std::uint32_t vertex) {
  return network.names.empty() ? fmt::format("{}", vertex) : network.names[vertex];
}

TightCut tightest_cut(const Network& network, std::span<const std::uint32_t> sources,
                      std::span<const std::uint32_t> sinks) {
  Flows flows(network, sources);

  // All but one sink, and then whatever is tighter
  std::vector<bool> inside(network.vertices, true);
  const auto first =
      std::ranges::find_if(sinks, [&](std::uint32_t sink) { return sources.size() > 1 || sink != sources.front(); });
  inside[*first] = false;
  auto quotient = flows.across(inside);
  for (const std::uint32_t sink : sinks) {
    if (sources.size() == 1 && sink == sources.front()) continue;
    for (;;) {
      if (quotient.rate == 0) {
        const auto cut_off = std::ranges::find_if(sources, [&](std::uint32_t source) { return inside[source]; });
        const auto from = std::ranges::find_if(sinks, [&](std::uint32_t vertex) { return !inside[vertex]; });
        throw Error(ErrorKind::kInfeasible,
                    fmt::format("{} cannot be reached from {}", name_of(network, *from), name_of(network, *cut_off)),
                    "", "add the links that lead there, or leave it out of the group");
      }
      std::vector<bool> tighter = flows.cut_before(sink, quotient.rate, quotient.sources);
      if (tighter.empty()) break;
      inside = std::move(tighter);
      quotient = flows.across(inside);
    }
  }

  TightCut cut{.inside = std::move(inside), .outward = {}};
  for (const Network::Arc& arc : network.arcs)
    if (cut.inside[arc.from] && !cut.inside[arc.to]) {
      cut.outward += arc.rate;
      ++cut.links;
    }
  for (const std::uint32_t source : sources) cut.sources += cut.inside[source];
  return cut;
}

std::string words_of_side(const TightCut& cut, const Network& network) {
  constexpr std::size_t kNamed = 8;
  std::vector<std::string> near, far;
  for (std::uint32_t v = 0; v < network.nodes; ++v) (cut.inside[v] ? near : far).push_back(name_of(network, v));
  std::vector<std::string>& named = far.size() < near.size() ? far : near;
  const std::size_t more = named.size() - std::min(named.size(), kNamed);
  named.resize(named.size() - more);
  return fmt::format("{}{}{}", far.size() < near.size() ? "all but " : "", fmt::join(named, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace helio::schedule
