// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/budget.h"
#include "base/error.h"
#include "fabric/carrier.h"
#include "fabric/electrical/flow_hash.h"
#include "fabric/electrical/graph_cuts.h"
#include "fabric/electrical/graph_distances.h"
#include "fabric/electrical/graph_file.h"
#include "fabric/electrical/graph_network.h"
#include "fabric/parameters.h"

namespace helio::fabric {
namespace {

constexpr std::size_t kMostRemembered = 64u << 20;  // hops, over all destinations

// "tor12" is any "tor*"; a plain number is a node.
std::string any_of_kind(const std::string& vertex) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (std::ranges::all_of(vertex, [&](char c) { return is_digit(c) || c == '-'; })) return "node";
  std::string kind;
  for (const char c : vertex)
    if (!is_digit(c))
      kind += c;
    else if (kind.empty() || kind.back() != '*')
      kind += '*';
  return kind;
}

Graph with_latencies(Graph graph, Time latency) {
  for (Graph::Arc& arc : graph.arcs) arc.latency = arc.latency.value_or(latency);
  return graph;
}

class GraphFabric : public Fabric {
 public:
  explicit GraphFabric(const Parameters& parameters)
      : graph_(std::make_shared<const Graph>(
            with_latencies(read_graph(parameters.text("file"), parameters.place("file")), parameters.time("latency")))),
        leaving_(*graph_, ArcIndex::Which::kLeaving),
        entering_(*graph_, ArcIndex::Which::kEntering),
        sprayed_(parameters.text("routing") == "spray"),
        seed_(static_cast<std::uint64_t>(parameters.integer("seed"))) {
    const std::size_t ranks = graph_->ranks.size();
    if (parameters.has("nodes") && static_cast<std::size_t>(parameters.integer("nodes")) != ranks)
      throw Error(ErrorKind::kInput,
                  fmt::format("the graph '{}' has {} nodes, not {}", parameters.text("file"), ranks,
                              parameters.integer("nodes")),
                  parameters.place("nodes"), fmt::format("leave nodes out, or give {}", ranks));

    capabilities_.fabric = "graph";
    capabilities_.nodes = ranks;
    capabilities_.step_overhead = parameters.time("step_overhead");
    const auto sum = [&](std::span<const std::uint32_t> arcs) {
      BitRate total;
      for (const std::uint32_t i : arcs) total += graph_->arcs[i].count * graph_->arcs[i].rate;
      return total;
    };
    for (const std::uint32_t rank : graph_->ranks) {
      capabilities_.injection = std::max(capabilities_.injection, sum(leaving_.of(rank)));
      capabilities_.ejection = std::max(capabilities_.ejection, sum(entering_.of(rank)));
    }
    if (graph_->arcs.empty()) return;
    capabilities_.hop_latency = Time::max();
    for (const Graph::Arc& arc : graph_->arcs) {
      capabilities_.link_rate = std::max(capabilities_.link_rate, (sprayed_ ? arc.count : 1) * arc.rate);
      capabilities_.hop_latency = std::min(capabilities_.hop_latency, *arc.latency);
    }
    const Distances between = distances(*graph_, leaving_);
    capabilities_.nearest_latency = between.nearest;
    capabilities_.farthest_latency = between.farthest;
    capabilities_.cuts = narrow_cuts(*graph_);
    add_resources();
    capabilities_.network = [graph = graph_, sprayed = sprayed_] { return network_of(*graph, sprayed); };
  }

  // Links of copper; a bit that comes to a switch passes its chip, whose ports are its own.
  Bill bill() const override {
    Bill bill;
    double ends = 0, cables = 0, chips = 0, ends_rate = 0, through = 0, all_rate = 0;
    for (const Graph::Vertex& vertex : graph_->vertices) chips += vertex.is_switch ? 1 : 0;
    const auto to_switch = [&](const Graph::Arc& arc) { return graph_->vertices[arc.to].is_switch; };
    const auto from_switch = [&](const Graph::Arc& arc) { return graph_->vertices[arc.from].is_switch; };
    for (const Graph::Arc& arc : graph_->arcs) {
      const double rate = arc.count * arc.rate.value, own = 2.0 - to_switch(arc) - from_switch(arc);
      cables += arc.count / 2.0;
      all_rate += rate;
      ends += own / 2 * arc.count;
      ends_rate += own * rate;
      if (to_switch(arc)) through += rate;
    }
    const auto mean = [](double sum, double count) { return BitRate{count > 0 ? sum / count : 0}; };
    const std::uint32_t serdes = bill.add({"serdes", ends, "nodes' ends of links", mean(ends_rate, ends)}),
                        copper =
                            bill.add({"copper-cable", cables, "each link, both directions", mean(all_rate, cables)});
    const std::uint32_t switches =
        chips > 0 ? bill.add({"switch-chip", chips, "each switch", mean(through, chips)}) : 0;
    for (std::uint32_t a = 0; a < graph_->arcs.size(); ++a) {
      const Graph::Arc& arc = graph_->arcs[a];
      std::vector<Crossing::Passed> passed{{copper}};
      if (const double own = 2.0 - to_switch(arc) - from_switch(arc); own > 0) passed.push_back({serdes, own});
      if (to_switch(arc)) passed.push_back({switches});
      bill.cross({offset_[a]}, offset_[a + 1] - offset_[a], std::move(passed));
    }
    return bill;
  }

  std::unique_ptr<Carrier> install(flow::Program& program, Site site = {}) const override;

  const Graph& graph() const { return *graph_; }
  const ArcIndex& leaving() const { return leaving_; }
  const ArcIndex& entering() const { return entering_; }
  bool sprayed() const { return sprayed_; }
  std::uint64_t seed() const { return seed_; }
  std::uint32_t first_link(std::uint32_t arc) const { return offset_[arc]; }

 private:
  void add_resources() {
    // Sprayed flows load parallel links alike: together they are one link of their joint rate
    for (const Graph::Arc& arc : graph_->arcs) offset_.push_back(offset_.back() + (sprayed_ ? 1 : arc.count));
    struct Link {
      const Graph::Arc& arc;
      std::uint32_t index;  // of those in parallel
    };
    const auto link = [graph = graph_, offset = offset_](std::uint32_t i) {
      const auto after = std::upper_bound(offset.begin(), offset.end(), i);
      return Link{graph->arcs[static_cast<std::size_t>(after - offset.begin()) - 1], i - *(after - 1)};
    };
    const auto name = [graph = graph_, link, sprayed = sprayed_](std::uint32_t i) {
      const auto [arc, index] = link(i);
      const std::string ends = fmt::format("{} to {}", graph->vertices[arc.from].name, graph->vertices[arc.to].name);
      if (arc.count == 1) return fmt::format("link {}", ends);
      return sprayed ? fmt::format("{} links {}", arc.count, ends)
                     : fmt::format("link {} ({} of {})", ends, index + 1, arc.count);
    };
    const auto class_name = [graph = graph_, link, sprayed = sprayed_](std::uint32_t i) {
      const Graph::Arc& arc = link(i).arc;
      return fmt::format("{} {} to {}", sprayed && arc.count > 1 ? "links" : "link",
                         any_of_kind(graph->vertices[arc.from].name), any_of_kind(graph->vertices[arc.to].name));
    };
    resources_.add_links(offset_.back(), capabilities_.link_rate, {name, class_name});
    for (std::uint32_t a = 0; a < graph_->arcs.size(); ++a) {
      const Graph::Arc& arc = graph_->arcs[a];
      for (std::uint32_t i = offset_[a]; i < offset_[a + 1]; ++i)
        resources_.set_rate(flow::ResourceId{i}, (sprayed_ ? arc.count : 1) * arc.rate);
    }
  }

  std::shared_ptr<const Graph> graph_;
  ArcIndex leaving_, entering_;
  bool sprayed_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> offset_{0};  // of the links of each arc, and one past the last
};

// Remembers how far it is from everywhere to the destinations that it was asked for.
class GraphCarrier : public Carrier {
 public:
  GraphCarrier(const GraphFabric& graph, flow::Program& program, Site site)
      : Carrier(graph, program, std::move(site)), graph_(graph), part_(graph.graph().vertices.size(), 0) {
    for (const Graph::Slowing& link : graph.graph().slowings) slowing_[link.arc] = &link;
  }

 protected:
  void route(NodeId from, NodeId to, const Carriage& carriage, Way& way) override {
    vector_ = carriage.request.bytes;
    const std::uint32_t start = graph_.graph().ranks[from.value];
    const std::vector<std::uint32_t>& hops = hops_to(graph_.graph().ranks[to.value]);
    if (graph_.sprayed())
      spray(start, hops, way);
    else
      follow(start, hops, FlowHash(graph_.seed(), from, to), way);
  }

 private:
  // Hops from every vertex to `destination`; the reference holds until the next call.
  const std::vector<std::uint32_t>& hops_to(std::uint32_t destination) {
    const auto known = hops_to_.find(destination);
    if (known != hops_to_.end()) return known->second;
    Budget::spend(static_cast<std::int64_t>(graph_.graph().vertices.size() + graph_.graph().arcs.size()));
    if ((hops_to_.size() + 1) * graph_.graph().vertices.size() > kMostRemembered) hops_to_.clear();
    return hops_to_[destination] = graph_.entering().hops(graph_.graph(), destination);
  }

  // Calls visit(arc) for the arcs of v that lead nearer, and returns how many links these are.
  template <class Visit>
  std::uint32_t next_links(std::uint32_t v, const std::vector<std::uint32_t>& hops, Visit visit) {
    std::uint32_t links = 0;
    for (const std::uint32_t arc : graph_.leaving().of(v))
      if (const std::uint32_t there = hops[graph_.graph().arcs[arc].to];
          there != ArcIndex::kNowhere && there + 1 == hops[v]) {
        links += graph_.graph().arcs[arc].count;
        visit(arc);
      }
    return links;
  }

  void follow(std::uint32_t v, const std::vector<std::uint32_t>& hops, const FlowHash& hash, Way& way) {
    for (std::uint32_t hop = 0; hops[v] > 0; ++hop) {
      std::uint32_t pick = hash.pick(hop, next_links(v, hops, [](std::uint32_t) {}));
      std::uint32_t chosen = 0, index = 0;
      bool found = false;
      next_links(v, hops, [&](std::uint32_t arc) {
        if (found) return;
        const std::uint32_t count = graph_.graph().arcs[arc].count;
        if (pick < count)
          found = true, chosen = arc, index = pick;
        else
          pick -= count;
      });
      way.cross({graph_.first_link(chosen) + index}, weight_of(slowing(chosen)));
      way.latency += *graph_.graph().arcs[chosen].latency;
      v = graph_.graph().arcs[chosen].to;
    }
  }

  // Level by level towards the destination. The latency is that of the slowest way: the last part arrives by it.
  void spray(std::uint32_t start, const std::vector<std::uint32_t>& hops, Way& way) {
    std::vector<std::uint32_t> level{start}, next;
    std::unordered_map<std::uint32_t, Time> latency{{start, Time()}};
    part_[start] = 1;
    while (hops[level.front()] > 0) {
      next.clear();
      for (const std::uint32_t v : level) {
        const std::uint32_t links = next_links(v, hops, [](std::uint32_t) {});
        next_links(v, hops, [&](std::uint32_t i) {
          const Graph::Arc& arc = graph_.graph().arcs[i];
          const double part = part_[v] * arc.count / links;
          way.cross({graph_.first_link(i)}, weight_of(part * slowing(i)));
          if (part_[arc.to] == 0) next.push_back(arc.to);
          part_[arc.to] += part;
          Time& there = latency[arc.to];
          there = std::max(there, latency[v] + *arc.latency);
        });
        part_[v] = 0;
      }
      std::swap(level, next);
    }
    part_[level.front()] = 0;
    way.latency += latency[level.front()];
  }

  // How much longer a byte of this vector takes on a link than its rate says.
  double slowing(std::uint32_t arc) const {
    if (slowing_.empty()) return 1;
    const auto found = slowing_.find(arc);
    return found == slowing_.end() ? 1 : graph_.graph().slowing(*found->second, vector_);
  }

  const GraphFabric& graph_;
  Bytes vector_;                                                           // of the collective whose move is routed
  std::unordered_map<std::uint32_t, const Graph::Slowing*> slowing_;       // by arc
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> hops_to_;  // by destination
  std::vector<double> part_;  // of a sprayed flow that passes a vertex; all zero between calls
};

std::unique_ptr<Carrier> GraphFabric::install(flow::Program& program, Site site) const {
  return std::make_unique<GraphCarrier>(*this, program, std::move(site));
}

}  // namespace

Description describe_graph() {
  const std::string bare = "all-reduce fabric=graph bytes=1MB algorithm=ring";
  const std::string example = bare + " fabric.file=examples/graphs/two_racks.txt";
  const std::string dense =
      "all-to-all fabric=graph fabric.file=examples/graphs/two_racks.txt bytes=1MB algorithm=direct";

  Parameter nodes = nodes_parameter(example, "16777216", "12");
  nodes.optional = true;
  nodes.description = "number of nodes, as a check: must agree with the file";
  nodes.matters.refused = true;
  Parameter file;
  file.name = "file";
  file.type = ParameterType::kText;
  file.description =
      "text file with the nodes, switches and links (docs/graph-file.md), relative to the working directory";
  file.matters = {bare, "examples/graphs/uneven_ring.txt", "examples/graphs/two_racks.txt"};
  Parameter routing;
  routing.name = "routing";
  routing.type = ParameterType::kChoice;
  routing.fallback = "ecmp";
  routing.choices = {"ecmp", "spray"};
  routing.description =
      "which of the equal shortest ways: a hash of the two ends and the seed; all of them evenly, vertex by vertex";
  routing.matters = {dense, "spray", ""};
  const Parameter seed = seed_parameter(dense, "of the hash that `ecmp` picks ways with");
  return {"graph",
          "any network from a text file: nodes, switches, links of their own rate and latency",
          "ours: docs/graph-file.md; equal-cost multipath after Hopps, RFC 2992, 2000",
          {file, nodes,
           latency_parameter(example, "500 ns",
                             "of links whose line gives none; the default is a short electrical hop, ours"),
           step_overhead_parameter(example), routing, seed}};
}

std::unique_ptr<Fabric> make_graph(const Parameters& parameters) { return std::make_unique<GraphFabric>(parameters); }

Settings footing_of_graph(Settings given, const Footing& footing) {
  if (footing.injection)
    throw Error(ErrorKind::kInput, "'graph' has the links of its file, and nothing makes its nodes inject another rate",
                given.contains("file") ? given.at("file").place : "", "Ask it alone, or compare it as it is.");
  return given;
}

}  // namespace helio::fabric
