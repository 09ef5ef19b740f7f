// SPDX-License-Identifier: Apache-2.0
#include "fabric/electrical/graph_cuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "fabric/electrical/graph_network.h"
#include "schedule/fitted/tightest_cut.h"

namespace helio::fabric {
namespace {

using schedule::Cut;

// Rates are added and taken away many times over: as whole numbers, so that nothing is rounded. The unit is 2^-20 b/s; what is
// left of a rate is rounded up, as a bound must not think a cut narrower than it is.
using Sum = __int128;
constexpr double kPerBit = 1 << 20;

Sum all_of(const Graph::Arc& arc) { return arc.count * static_cast<Sum>(std::ceil(arc.rate.value * kPerBit)); }
double bits_per_second(Sum sum) { return static_cast<double>(sum) / kPerBit; }

// Ranks times arcs up to which max-flows take a tenth of a second or less.
constexpr std::size_t kMostForFlows = 1u << 17;

// Keeps, of all cuts it is shown, those that may bind.
class Narrowest {
 public:
  explicit Narrowest(std::size_t ranks) : ranks_(static_cast<double>(ranks)) {
    best_.fill(std::numeric_limits<double>::max());
  }

  template <class Name>
  void show(std::uint64_t inside, Sum out, Sum in, Name name) {
    const double outward = bits_per_second(out), inward = bits_per_second(in);
    const double k = static_cast<double>(inside), rest = ranks_ - k;
    if (k < 1 || rest < 1) return;
    // Rate over what must cross, for every line of "What must cross a cut" (docs/bounds.md): all-reduce, rooted kinds,
    // reduce-scatter, all-gather, all-to-all
    const std::array<double, kMeasures> measures = {outward,
                                                    inward,
                                                    std::max(outward, inward),
                                                    outward / rest,
                                                    inward / k,
                                                    outward / k,
                                                    inward / rest,
                                                    std::min(outward, inward) / (k * rest)};
    for (std::size_t i = 0; i < kMeasures; ++i)
      if (measures[i] < best_[i] * (1 - 1e-12)) {
        best_[i] = measures[i];
        cuts_[i] = {name(), inside, BitRate{outward}, BitRate{inward}};
      }
  }

  std::vector<Cut> kept() const {
    std::vector<Cut> kept;
    for (const Cut& cut : cuts_) {
      const auto same = [&](const Cut& other) {
        return other.inside == cut.inside && other.outward == cut.outward && other.inward == cut.inward;
      };
      if (cut.inside > 0 && std::ranges::none_of(kept, same)) kept.push_back(cut);
    }
    return kept;
  }

 private:
  static constexpr std::size_t kMeasures = 8;
  double ranks_;
  std::array<double, kMeasures> best_;
  std::array<Cut, kMeasures> cuts_;
};

class Search {
 public:
  explicit Search(const Graph& graph)
      : graph_(graph),
        leaving_(graph, ArcIndex::Which::kLeaving),
        entering_(graph, ArcIndex::Which::kEntering),
        narrowest_(graph.ranks.size()) {}

  std::vector<Cut> run() {
    single_ranks();
    racks();
    subtrees();
    const std::uint32_t far = beginnings(graph_.ranks.front());
    beginnings(far);
    tightest();
    return narrowest_.kept();
  }

 private:
  // How many ranks vertex v is.
  std::uint64_t ranks_at(std::uint32_t v) const { return graph_.vertices[v].is_switch ? 0 : 1; }
  const std::string& name(std::uint32_t v) const { return graph_.vertices[v].name; }
  Sum sum(std::span<const std::uint32_t> arcs) const {
    Sum sum = 0;
    for (const std::uint32_t arc : arcs) sum += all_of(graph_.arcs[arc]);
    return sum;
  }

  // Calls visit(neighbour) for both ends of all arcs of v; neighbours may come twice.
  template <class Visit>
  void neighbours(std::uint32_t v, Visit visit) const {
    for (const std::uint32_t arc : leaving_.of(v)) visit(graph_.arcs[arc].to);
    for (const std::uint32_t arc : entering_.of(v)) visit(graph_.arcs[arc].from);
  }

  void single_ranks() {
    for (const std::uint32_t rank : graph_.ranks)
      narrowest_.show(1, sum(leaving_.of(rank)), sum(entering_.of(rank)),
                      [&] { return fmt::format("links of '{}'", name(rank)); });
  }

  // Exactly the narrowest for all-gather and for reduce-scatter, where it is little work.
  void tightest() {
    if (graph_.ranks.size() < 2 || graph_.ranks.size() * graph_.arcs.size() > kMostForFlows) return;
    const schedule::Network forth = network_of(graph_, true), back = reversed(forth);
    std::vector<std::uint32_t> ranks(forth.nodes);
    std::iota(ranks.begin(), ranks.end(), 0u);
    for (const schedule::Network& network : {forth, back}) {
      const schedule::TightCut cut = schedule::tightest_cut(network, ranks, ranks);
      Sum outward = 0, inward = 0;
      for (std::size_t a = 0; a < graph_.arcs.size(); ++a) {  // as many arcs, in the same order
        const bool from = cut.inside[forth.arcs[a].from], to = cut.inside[forth.arcs[a].to];
        if (from && !to) outward += all_of(graph_.arcs[a]);
        if (to && !from) inward += all_of(graph_.arcs[a]);
      }
      narrowest_.show(cut.sources, outward, inward, [&] {
        return fmt::format("links around {} nodes ({})", cut.sources, schedule::words_of_side(cut, network));
      });
    }
  }

  void racks() {
    // The one switch that a rank hangs on
    constexpr std::uint32_t kNone = 0xffffffffu, kSeveral = 0xfffffffeu;
    std::vector<std::uint32_t> sole(graph_.vertices.size(), kNone);
    for (const std::uint32_t rank : graph_.ranks)
      neighbours(rank, [&](std::uint32_t v) { sole[rank] = sole[rank] == kNone || sole[rank] == v ? v : kSeveral; });

    for (std::uint32_t v = 0; v < graph_.vertices.size(); ++v) {
      if (!graph_.vertices[v].is_switch) continue;
      std::uint64_t inside = 0;
      Sum outward = 0, inward = 0;
      for (const std::uint32_t arc : leaving_.of(v)) {
        if (sole[graph_.arcs[arc].to] == v)
          ++inside;
        else
          outward += all_of(graph_.arcs[arc]);
      }
      for (const std::uint32_t arc : entering_.of(v))
        if (sole[graph_.arcs[arc].from] != v) inward += all_of(graph_.arcs[arc]);
      narrowest_.show(inside, outward, inward,
                      [&] { return fmt::format("links of switch '{}' and the nodes that hang on it", name(v)); });
    }
  }

  // In a depth-first tree every arc joins a vertex and one of its ancestors. Added at the lower end and taken away at the upper,
  // its rate counts in exactly the subtrees that it leaves; sums over subtrees then are rates of cuts.
  void subtrees() {
    const std::size_t count = graph_.vertices.size();
    constexpr std::uint32_t kUnseen = 0xffffffffu;
    std::vector<std::uint32_t> order, parent(count, kUnseen), depth(count, kUnseen);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // vertex, the next of its neighbours
    const std::uint32_t root = graph_.ranks.front();
    depth[root] = 0;
    order.push_back(root);
    path.push_back({root, 0});
    while (!path.empty()) {
      const std::uint32_t v = path.back().first;
      const std::span<const std::uint32_t> out = leaving_.of(v), in = entering_.of(v);
      const std::size_t i = path.back().second++;
      if (i >= out.size() + in.size()) {
        path.pop_back();
        continue;
      }
      const std::uint32_t next = i < out.size() ? graph_.arcs[out[i]].to : graph_.arcs[in[i - out.size()]].from;
      if (depth[next] != kUnseen) continue;
      depth[next] = depth[v] + 1;
      parent[next] = v;
      order.push_back(next);
      path.push_back({next, 0});
    }

    std::vector<Sum> outward(count, 0), inward(count, 0);
    std::vector<std::uint64_t> inside(count, 0);
    for (const Graph::Arc& arc : graph_.arcs) {
      if (depth[arc.from] == kUnseen) continue;
      const bool up = depth[arc.to] < depth[arc.from];
      std::vector<Sum>& rates = up ? outward : inward;
      rates[up ? arc.from : arc.to] += all_of(arc);
      rates[up ? arc.to : arc.from] -= all_of(arc);
    }
    for (std::size_t i = order.size(); i-- > 1;) {
      const std::uint32_t v = order[i];
      inside[v] += ranks_at(v);
      narrowest_.show(inside[v], outward[v], inward[v], [&] {
        return fmt::format("links between '{}' with what hangs on it and '{}'", name(v), name(parent[v]));
      });
      outward[parent[v]] += outward[v];
      inward[parent[v]] += inward[v];
      inside[parent[v]] += inside[v];
    }
  }

  // Returns the rank that comes last.
  std::uint32_t beginnings(std::uint32_t start) {
    std::vector<std::uint8_t> seen(graph_.vertices.size(), 0), within(graph_.vertices.size(), 0);
    std::vector<std::uint32_t> queue{start};
    seen[start] = 1;
    Sum outward = 0, inward = 0;
    std::uint64_t inside = 0;
    std::uint32_t last_rank = start;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t v = queue[i];
      // What led here leads inside now; what leads on leads outside
      const auto take_in = [&](std::span<const std::uint32_t> arcs, auto far_end, Sum& across, Sum& back) {
        for (const std::uint32_t arc : arcs) {
          if (within[graph_.arcs[arc].*far_end])
            back -= all_of(graph_.arcs[arc]);
          else
            across += all_of(graph_.arcs[arc]);
        }
      };
      take_in(leaving_.of(v), &Graph::Arc::to, outward, inward);
      take_in(entering_.of(v), &Graph::Arc::from, inward, outward);
      within[v] = 1;
      inside += ranks_at(v);
      if (ranks_at(v)) last_rank = v;
      narrowest_.show(inside, outward, inward,
                      [&] { return fmt::format("links around the {} nodes nearest to '{}'", inside, name(start)); });
      neighbours(v, [&](std::uint32_t next) {
        if (!seen[next]) seen[next] = 1, queue.push_back(next);
      });
    }
    return last_rank;
  }

  const Graph& graph_;
  ArcIndex leaving_, entering_;
  Narrowest narrowest_;
};

}  // namespace

std::vector<Cut> narrow_cuts(const Graph& graph) { return Search(graph).run(); }

}  // namespace helio::fabric
