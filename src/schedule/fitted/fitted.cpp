// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/fitted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/units.h"
#include "schedule/fitted/tightest_cut.h"
#include "schedule/fitted/timetable.h"

namespace helio::schedule {
namespace {

constexpr FactKind kPiecesFact = {"pieces", "",
                                  "into which fitted cuts what a rank puts in, each with a tree of its own"};
constexpr FactKind kCutFact = {"cut", "",
                               "fitted: the nodes on the near side of the tightest cut, and what leaves them"};
constexpr FactKind kCutLinksFact = {"cut_links", "", "fitted: links that leave the near side of the tightest cut"};
constexpr FactKind kCutRateFact = {"cut_rate_bps", "b/s", "fitted: of these links together",
                                   FactKind::Limit::kSmallest};
constexpr FactKind kTreesFact = {"trees_over_cut", "1",
                                 "fitted: load of the busiest link over what the tightest cut demands"};

// Moves that are worth their time, and that a schedule may have at all.
constexpr double kGoodMoves = 60e3, kMostMoves = 4e6;
constexpr double kMostPieces = 512;
// A link that waits so long for news between two pieces has two queues, which wait in turn; and with less transmission than this
// many latencies, pieces are too small.
constexpr double kWaits = 0.0005, kPieceInLatencies = 2;

// What goes down trees: an all-gather or a broadcast of one direction of the network.
struct Spread {
  Network network;
  bool backwards = false;  // it stands for what reduces
  std::vector<std::uint32_t> sources, sinks;
  Bytes bytes;  // of each source
};

struct Plan {
  TightCut cut;
  double target = 0;  // seconds that the cut demands
  std::uint32_t pieces = 1;
  Trees trees;
  Timetable table;
};

Plan plan_in(Hops& hops, const Spread& spread, const TightCut& cut, double target, std::span<const Position> roots,
             std::uint32_t pieces, Shape shape) {
  Plan plan{.cut = cut, .target = target, .pieces = pieces, .trees = {}, .table = {}};
  std::vector<Position> root_of_piece;
  for (const Position root : roots) root_of_piece.insert(root_of_piece.end(), pieces, root);
  const Bytes piece = spread.bytes / pieces;
  plan.trees = choose_trees(hops, root_of_piece, piece, target, shape);
  plan.table = timetable_of(hops, plan.trees.trees, piece);
  return plan;
}

// In as many pieces as are worth it, or whole and by the shortest ways: what ends first.
Plan best_plan(Hops& hops, const Spread& spread, std::span<const Position> roots, std::optional<std::uint32_t> asked,
               Time step_overhead) {
  const TightCut cut = tightest_cut(spread.network, spread.sources, spread.sinks);
  const double target = seconds_at(spread.bytes, cut.per_source());
  double fastest = 0, latency = 0;
  for (const Network::Arc& arc : spread.network.arcs) {
    fastest = std::max(fastest, arc.rate.value);
    latency = std::max(latency, arc.latency.to_seconds());
  }
  const double moves = static_cast<double>(roots.size()) * std::max(1, hops.ranks() - 1);
  const double piece_least = std::max(1.0, (latency + step_overhead.to_seconds()) * kPieceInLatencies * fastest / 8);
  const auto pieces =
      asked ? *asked
            : static_cast<std::uint32_t>(std::max(
                  1.0, std::floor(std::min({kGoodMoves / moves, kMostPieces, spread.bytes.value / piece_least}))));
  Plan best = plan_in(hops, spread, cut, target, roots, pieces, Shape::kThrifty);
  if (asked) return best;
  Plan whole = plan_in(hops, spread, cut, target, roots, 1, Shape::kShallow);
  return whole.table.end < best.table.end ? whole : best;
}

// Lays a plan out as rounds of moves: no earlier than what a move reads is there, and no earlier than the one before it on its link.
class Layout {
 public:
  Layout(Schedule& schedule, const std::vector<std::vector<NodeId>>& groups) : schedule_(schedule), groups_(groups) {}

  void add(const Plan& plan, const Hops& hops, bool backwards, Bytes piece, Time overhead) {
    const std::size_t before = schedule_.phases.size();
    const auto n = static_cast<std::size_t>(hops.ranks());
    std::vector<std::uint32_t> ready(plan.trees.trees.size() * n, 0);
    struct Line {
      std::uint32_t round = 0, departures = 0;
    };
    std::map<HopId, Line> lines;
    std::map<HopId, double> taken;
    const auto& departures = plan.table.departures;
    for (std::size_t i = 0; i < departures.size(); ++i) {
      const Departure& departure = departures[backwards ? departures.size() - 1 - i : i];
      const Hop& hop = hops[departure.hop];
      const auto [from, to] = backwards ? std::pair(hop.to, hop.from) : std::pair(hop.from, hop.to);
      double waits = overhead.to_seconds(), takes = 0;
      for (const std::uint32_t a : hop.arcs) {
        waits += hops.network().arcs[a].latency.to_seconds();
        takes = std::max(takes, seconds_at(piece, hops.network().arcs[a].rate));
      }
      const bool in_two = waits > kWaits * takes;
      Line& line = lines[departure.hop];
      std::uint32_t& arrived = ready[departure.piece * n + static_cast<std::size_t>(to)];
      const std::uint32_t round = std::max(ready[departure.piece * n + static_cast<std::size_t>(from)], line.round);
      line.round = round;
      arrived = std::max(arrived, round + 1);
      while (schedule_.phases.size() <= before + round)
        schedule_.phases.push_back({.name = backwards ? "reduce" : "spread", .repeat = 1, .moves = {}});
      schedule_.phases[before + round].moves.push_back(
          {.source = from,
           .destination = to,
           .source_slot = departure.piece,
           .destination_slot = departure.piece,
           .queue = static_cast<std::int32_t>(2 * departure.hop + (in_two ? line.departures++ % 2 : 0)),
           .action = backwards ? Action::kReduce : Action::kStore});
      ++taken[departure.hop];
    }
    count_ways(hops, backwards, taken);
  }

  // Ways that are more than the only arc between their ends.
  void note_ways() {
    for (const auto& [ends, taken] : ways_) {
      if (taken.usual) continue;
      PlannedWay way{.from = {ends.first}, .to = {ends.second}, .parts = {}, .latency = taken.latency};
      for (const auto& [link, count] : taken.links) way.parts.push_back({link, count / taken.all});
      schedule_.ways.push_back(std::move(way));
    }
  }

 private:
  // What hops of a plan take of links, each as often as it is taken.
  void count_ways(const Hops& hops, bool backwards, const std::map<HopId, double>& taken) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;
    for (const Network::Arc& arc : hops.network().arcs) ++between[{arc.from, arc.to}];
    for (const auto& [id, count] : taken) {
      const Hop& hop = hops[id];
      std::size_t group = 0, first = 0;
      Time latency;
      for (std::size_t i = 0; i < hop.arcs.size(); ++i) {
        const Network::Arc& arc = hops.network().arcs[hop.arcs[i]];
        const NodeId start = groups_[group][static_cast<std::size_t>(hop.from)],
                     end = groups_[group][static_cast<std::size_t>(hop.to)];
        Taken& way = ways_[backwards ? std::pair(end.value, start.value) : std::pair(start.value, end.value)];
        way.links[arc.link] += count;
        latency += arc.latency;
        if (arc.to != end.value) continue;
        way.all += count;
        way.latency = std::max(way.latency, latency);
        way.usual = way.usual && i == first && between[{arc.from, arc.to}] == 1;
        latency = Time();
        first = i + 1;
        ++group;
      }
    }
  }

  Schedule& schedule_;
  const std::vector<std::vector<NodeId>>& groups_;
  struct Taken {
    double all = 0;
    std::map<std::uint32_t, double> links;
    Time latency;
    bool usual = true;  // the only arc between its ends
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Taken> ways_;  // by nodes
};

std::string words_of(const TightCut& cut, const Network& network, bool backwards) {
  std::vector<std::string> near, far;
  for (std::uint32_t v = 0; v < network.nodes; ++v)
    (cut.inside[v] ? near : far).push_back(network.names.empty() ? fmt::format("{}", v) : network.names[v]);
  const bool name_far = far.size() < near.size();
  const std::vector<std::string>& named = name_far ? far : near;
  constexpr std::size_t kNamed = 12;
  std::string list = fmt::format(
      "{}",
      fmt::join(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(std::min(named.size(), kNamed)), ", "));
  if (named.size() > kNamed) list += fmt::format(" and {} more", named.size() - kNamed);
  return fmt::format("{} {}: {} link{}, {}", name_far != backwards ? "into" : "out of", list, cut.links,
                     cut.links == 1 ? "" : "s", format(cut.outward));
}

void note(Schedule& schedule, const Plan& plan, const Spread& spread) {
  if (!schedule.facts.empty()) return;  // an all-reduce names what spreads
  schedule.facts.push_back({kPiecesFact, static_cast<double>(plan.pieces)});
  schedule.facts.push_back({kTreesFact, plan.trees.busiest / plan.target});
  schedule.facts.push_back({kCutFact, words_of(plan.cut, spread.network, spread.backwards)});
  schedule.facts.push_back({kCutLinksFact, static_cast<double>(plan.cut.links)});
  schedule.facts.push_back({kCutRateFact, plan.cut.outward.value});
}

Schedule build_fitted(const CollectiveRequest& request, const Capabilities& capabilities,
                      const Parameters& parameters) {
  if (!capabilities.network)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("fitted needs links that it can look at, and '{}' shows none", capabilities.fabric), "",
                "use " + advised("algorithm", "auto"));
  const Position n = request.ranks();
  const Network network = capabilities.network();
  const bool rooted = has_root(request.kind);
  if (const double moves = rooted ? n - 1.0 : (n - 1.0) * n; moves > kMostMoves)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("fitted to {} ranks would have {:.2g} moves, more than {:.2g}", n, moves, kMostMoves), "",
                "use " + advised("algorithm", "auto") + ", or fewer ranks");
  std::optional<std::uint32_t> asked;
  if (parameters.has("pieces")) asked = static_cast<std::uint32_t>(parameters.integer("pieces"));

  Schedule schedule{.algorithm = std::string(kFitted), .kind = request.kind, .ranks = n, .root = request.root};
  schedule.order = Order::kDataflow;
  std::vector<Position> roots;
  if (rooted)
    roots = {request.root};
  else
    for (Position p = 0; p < n; ++p) roots.push_back(p);

  // What reduces, then what spreads
  Layout layout(schedule, request.groups);
  const bool reduces =
      request.kind == Kind::kReduceScatter || request.kind == Kind::kReduce || request.kind == Kind::kAllReduce;
  const bool spreads =
      request.kind == Kind::kAllGather || request.kind == Kind::kBroadcast || request.kind == Kind::kAllReduce;
  std::vector<std::pair<Plan, Spread>> plans;
  for (const bool backwards : {true, false}) {
    if (backwards ? !reduces : !spreads) continue;
    Spread spread{.network = backwards ? reversed(network) : network,
                  .backwards = backwards,
                  .sources = {},
                  .sinks = {},
                  .bytes = request.bytes / static_cast<double>(rooted ? 1 : n)};
    for (const NodeId node : request.groups.front()) spread.sinks.push_back(node.value);
    for (const Position root : roots) spread.sources.push_back(spread.sinks[static_cast<std::size_t>(root)]);
    Hops hops(spread.network, request.groups);
    Plan plan =
        best_plan(hops, spread, roots, plans.empty() ? asked : plans.front().first.pieces, capabilities.step_overhead);
    layout.add(plan, hops, backwards, spread.bytes / plan.pieces, capabilities.step_overhead);
    schedule.chunks = plan.pieces * static_cast<std::uint32_t>(roots.size());
    plans.emplace_back(std::move(plan), std::move(spread));
  }
  layout.note_ways();
  note(schedule, plans.back().first, plans.back().second);
  return schedule;
}

}  // namespace

AlgorithmEntry fitted() {
  return {{.name = std::string(kFitted),
           .summary = "trees made for this very network, at the throughput of its tightest cut; pieces flow down them",
           .reference = "ours; the cut and that trees reach it: Edmonds 1973; ForestColl, arXiv 2402.06787, 2024",
           .parameters =
               {{.name = "pieces",
                 .type = ParameterType::kInteger,
                 .minimum = "1",
                 .maximum = "65536",
                 .description =
                     "pieces of what a rank puts in, each with a tree of its own; by default as many as are worth it",
                 .matters = {.question = "all-gather fabric=ring nodes=4 bytes=1MB algorithm=fitted", .other = "1"},
                 .optional = true}},
           .facts = {kPiecesFact, kTreesFact, kCutFact, kCutLinksFact, kCutRateFact}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = build_fitted}};
}

}  // namespace helio::schedule
