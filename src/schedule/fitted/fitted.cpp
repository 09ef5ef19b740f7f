// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/fitted.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "schedule/fitted/exchange_schedule.h"
#include "schedule/fitted/tightest_cut.h"
#include "schedule/fitted/timetable.h"
#include "schedule/fitted/translates.h"

namespace helio::schedule {
namespace {

constexpr FactKind kPiecesFact = {"pieces", "",
                                  "into which fitted cuts what a rank puts in, each with a tree of its own; of "
                                  "all-to-all, what it has for one other"};
constexpr FactKind kCutFact = {"cut", "",
                               "fitted: the nodes on the near side of the tightest cut, and what leaves them"};
constexpr FactKind kCutLinksFact = {"cut_links", "", "fitted: links that leave the near side of the tightest cut"};
constexpr FactKind kCutRateFact = {"cut_rate_bps", "b/s", "fitted: of these links together",
                                   FactKind::Limit::kSmallest};
constexpr FactKind kTreesFact = {"trees_over_cut", "1",
                                 "fitted: load of the busiest link over what the tightest cut demands"};
constexpr FactKind kLoadFact = {"load_over_prices", "1",
                                "fitted all-to-all: load of the busiest link over what the prices of links demand"};
constexpr FactKind kWaysFact = {"ways", "", "fitted all-to-all: that all ranks' parts for one another take"};
constexpr FactKind kBindingFact = {"binding", "",
                                   "fitted all-to-all: links that prove the bound, with prices near the highest"};
constexpr FactKind kBindingLinksFact = {"binding_links", "", "fitted all-to-all: how many these are"};
constexpr FactKind kTranslatesFact = {"translates", "",
                                      "fitted: where the trees of one root, moved about, are those of all others"};

// Moves that are worth their time, and that a schedule may have at all.
constexpr double kGoodMoves = 60e3, kMostMoves = 4e6;
constexpr double kMostPieces = 2048;
constexpr double kMostPiecesOfGroups = 64;  // of several at once, which no number of pieces brings to the cut of one
// The same of what is laid out by translates, whose moves take less to make and to carry.
constexpr double kGoodTranslates = 200e3, kMostTranslates = 20e6;
constexpr std::uint32_t kMostPiecesMoved = 12;
// A piece may take as many latencies as one of these; which is best shows in the timetable.
constexpr double kPieceInLatencies[] = {48, 24, 12, 6, 3, 1.5};

// Pairs that trees look at, of a network with switches.
constexpr double kMostPairs = 2e6;

// Where the best is farther than this from the cut, ranks are few and moves as well, these numbers times its own are tried.
constexpr double kNear = 0.03, kFewMoves = 30e3;
constexpr Position kFewRanks = 24;
constexpr double kAbout[] = {0.74, 0.8, 0.86, 0.93, 1.08, 1.16, 1.26, 1.36};

// A piece can be sent in halves; every so many of the first queue of a hop are.
constexpr std::uint32_t kSlotsOfPiece = 2, kHalved = 16;

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
  Shape shape = Shape::kThrifty;
  Trees trees;
  Timetable table;
};

Plan plan_in(Hops& hops, const Spread& spread, const TightCut& cut, double target, std::span<const Position> roots,
             std::uint32_t pieces, Shape shape, Time overhead) {
  Plan plan{.cut = cut, .target = target, .pieces = pieces, .shape = shape, .trees = {}, .table = {}};
  std::vector<Position> root_of_piece;
  for (const Position root : roots) root_of_piece.insert(root_of_piece.end(), pieces, root);
  const Bytes piece = spread.bytes / pieces;
  plan.trees = choose_trees(hops, root_of_piece, piece, target, shape);
  for (const Precedence precedence : {Precedence::kLongest, Precedence::kInTurn}) {
    Timetable table = timetable_of(hops, plan.trees.trees, piece, overhead, precedence);
    if (plan.table.departures.empty() || table.end < plan.table.end) plan.table = std::move(table);
  }
  return plan;
}

struct Cutting {
  std::uint32_t pieces = 1;
  Shape shape = Shape::kThrifty;
};

// In as many pieces as are worth it, or whole and by the shortest ways: what ends first.
Plan best_plan(Hops& hops, const Spread& spread, std::span<const Position> roots, std::optional<Cutting> asked,
               const Capabilities& capabilities) {
  const Time step_overhead = capabilities.step_overhead;
  const TightCut cut = tightest_cut(spread.network, spread.sources, spread.sinks);
  const double target = seconds_at(spread.bytes, cut.per_source());
  double fastest = 0, latency = 0;
  for (const Network::Arc& arc : spread.network.arcs) {
    fastest = std::max(fastest, arc.rate.value);
    latency = std::max(latency, arc.latency.to_seconds());
  }
  const double moves = static_cast<double>(roots.size() * hops.groups().size()) * std::max(1, hops.ranks() - 1);
  const double most = hops.groups().size() == 1 ? kMostPieces : kMostPiecesOfGroups;
  const auto plan = [&](std::uint32_t pieces, Shape shape) {
    return plan_in(hops, spread, cut, target, roots, pieces, shape, step_overhead);
  };
  if (asked) return plan(asked->pieces, asked->shape);
  Plan best = plan(1, Shape::kShallow);
  const double enough = target * (1 + kEnough) + (capabilities.farthest_latency + step_overhead).to_seconds();
  // A tree over switches looks at every pair
  const double pairs = static_cast<double>(hops.ranks()) * hops.ranks() * static_cast<double>(roots.size());
  const double dear = hops.straight() ? most : kMostPairs / pairs;
  std::set<std::uint32_t> tried;
  const auto consider = [&](double number) {
    const auto pieces = static_cast<std::uint32_t>(std::clamp(number, 1.0, most));
    if (!tried.insert(pieces).second) return;
    if (Plan other = plan(pieces, Shape::kThrifty); other.table.end < best.table.end) best = std::move(other);
  };
  for (const double latencies : kPieceInLatencies) {
    const double least = std::max(1.0, (latency + step_overhead.to_seconds()) * latencies * fastest / 8);
    if (best.table.end <= enough) break;  // nothing else would be felt
    if (spread.bytes.value >= least) consider(std::min({kGoodMoves / moves, dear, spread.bytes.value / least}));
  }

  // Of few ranks few trees share a link, and how their parts of it come out is a matter of luck: numbers about the best are tried, too
  const std::uint32_t about = best.pieces;
  for (const double factor : kAbout) {
    if (best.table.end <= target * (1 + kNear) || best.shape == Shape::kShallow || hops.ranks() > kFewRanks ||
        moves * about > kFewMoves)
      break;
    consider(factor * about);
  }
  return best;
}

// Lays a plan out as rounds of moves: no earlier than what a move reads is there, and no earlier than the one before it on its link.
class Layout {
 public:
  Layout(Schedule& schedule, const std::vector<std::vector<NodeId>>& groups) : schedule_(schedule), groups_(groups) {}

  void add(const Plan& plan, const Hops& hops, bool backwards) {
    const std::size_t before = schedule_.phases.size();
    const auto n = static_cast<std::size_t>(hops.ranks());
    std::vector<std::uint32_t> ready(plan.trees.trees.size() * n, 0);
    struct Line {
      std::uint32_t round = 0, departures = 0;
    };
    std::map<HopId, Line> lines;
    const auto& departures = plan.table.departures;
    for (std::size_t i = 0; i < departures.size(); ++i) {
      const Departure& departure = departures[backwards ? departures.size() - 1 - i : i];
      const Hop& hop = hops[departure.hop];
      const auto [from, to] = backwards ? std::pair(hop.to, hop.from) : std::pair(hop.from, hop.to);
      Line& line = lines[departure.hop];
      std::uint32_t& arrived = ready[departure.piece * n + static_cast<std::size_t>(to)];
      const std::uint32_t round = std::max(ready[departure.piece * n + static_cast<std::size_t>(from)], line.round);
      line.round = round;
      arrived = std::max(arrived, round + 1);
      while (schedule_.phases.size() <= before + round)
        schedule_.phases.push_back({.name = backwards ? "reduce" : "spread", .repeat = 1, .moves = {}});

      // Of queues that wait in turn the first has pieces in halves now and then, so that they do not begin, and wait, together
      const std::uint32_t queues = plan.table.queues[departure.hop], queue = line.departures % queues;
      const bool halved = queues > 1 && line.departures % (kHalved * queues) == 0;
      ++line.departures;
      for (std::uint32_t part = 0; part < (halved ? kSlotsOfPiece : 1); ++part) {
        const std::uint32_t slot = departure.piece * kSlotsOfPiece + part;
        schedule_.phases[before + round].moves.push_back(
            {.source = from,
             .destination = to,
             .source_slot = slot,
             .destination_slot = slot,
             .count = halved ? 1 : kSlotsOfPiece,
             .queue = static_cast<std::int32_t>(queues_ + kMostQueues * departure.hop + queue),
             .action = backwards ? Action::kReduce : Action::kStore,
             .way = way_of(hops, hop, backwards)});
      }
    }
    queues_ += kMostQueues * static_cast<std::uint32_t>(hops.size());
  }

 private:
  // The number of a hop among those of its ends; where it is more than the only arc between them, in every group a way.
  std::uint8_t way_of(const Hops& hops, const Hop& hop, bool backwards) {
    std::vector<std::vector<std::uint32_t>>& known =
        numbers_[backwards ? std::pair(hop.to, hop.from) : std::pair(hop.from, hop.to)];
    std::vector<std::uint32_t> links;
    for (const std::uint32_t arc : hop.arcs) links.push_back(hops.network().arcs[arc].link);
    if (backwards) std::ranges::reverse(links);
    const auto same = std::ranges::find(known, links);
    if (same == known.end() && known.size() == kMostWays)
      throw Error(
          ErrorKind::kInfeasible,
          fmt::format("the trees take more than {} ways between two nodes, and moves tell no more apart", kMostWays),
          "", "use another algorithm");
    const auto number = static_cast<std::uint8_t>(same - known.begin());
    if (same != known.end()) return number;
    known.push_back(std::move(links));

    std::size_t group = 0;
    PlannedWay way{.number = number, .links = {}, .latency = {}};
    for (const std::uint32_t a : hop.arcs) {
      const Network::Arc& arc = hops.network().arcs[a];
      const NodeId start = groups_[group][static_cast<std::size_t>(hop.from)],
                   end = groups_[group][static_cast<std::size_t>(hop.to)];
      way.links.push_back(arc.link);
      way.latency += arc.latency;
      if (arc.to != end.value) continue;
      way.from = backwards ? end : start;
      way.to = backwards ? start : end;
      if (backwards) std::ranges::reverse(way.links);
      if (way.links.size() > 1 || !hops.is_only(a)) schedule_.ways.push_back(way);
      way.links.clear();
      way.latency = Time();
      ++group;
    }
    return number;
  }

  // What a move can tell apart (Move::way).
  static constexpr std::size_t kMostWays = 256;

  Schedule& schedule_;
  const std::vector<std::vector<NodeId>>& groups_;
  std::uint32_t queues_ = 0;  // of what was added so far
  std::map<std::pair<Position, Position>, std::vector<std::vector<std::uint32_t>>> numbers_;  // links of each way
};

std::string words_of(const TightCut& cut, const Network& network, bool backwards) {
  return fmt::format("{} {}: {} link{}, {}", backwards ? "into" : "out of", words_of_side(cut, network), cut.links,
                     cut.links == 1 ? "" : "s", format(cut.outward));
}

void note(Schedule& schedule, std::uint32_t pieces, double trees_over_cut, const TightCut& cut, const Network& network,
          bool backwards) {
  schedule.facts.push_back({kPiecesFact, static_cast<double>(pieces)});
  schedule.facts.push_back({kTreesFact, trees_over_cut});
  schedule.facts.push_back({kCutFact, words_of(cut, network, backwards)});
  schedule.facts.push_back({kCutLinksFact, static_cast<double>(cut.links)});
  schedule.facts.push_back({kCutRateFact, cut.outward.value});
}

// The extents of the torus that a fabric says that it is.
std::vector<long long> sides_of(const Capabilities& capabilities) {
  if (capabilities.adjacency == Adjacency::kRing) return {static_cast<long long>(capabilities.nodes)};
  if (capabilities.adjacency == Adjacency::kGrid && capabilities.wraps) return capabilities.dimensions;
  return {};
}

// In as many pieces, and as many rounds, as take least.
TranslatedTrees best_translates(const Torus& torus, std::span<const std::uint32_t> directions, Bytes bytes,
                                const Network::Arc& link, Time step_overhead) {
  const double moves = static_cast<double>(torus.nodes()) * (torus.nodes() - 1);
  const auto seconds = [&](const TranslatedTrees& trees) {
    return static_cast<double>(trees.busiest) * seconds_at(bytes / trees.pieces, link.rate) +
           static_cast<double>(trees.rounds.size()) * (link.latency + step_overhead).to_seconds();
  };
  std::optional<TranslatedTrees> best;
  for (std::uint32_t pieces = 1; pieces <= kMostPiecesMoved; ++pieces) {
    if (pieces > 1 && moves * pieces > kGoodTranslates) break;
    for (const Rounds rounds : {Rounds::kFewest, Rounds::kThrifty}) {
      TranslatedTrees trees = translated_trees(torus, directions, pieces, rounds);
      if (!best || seconds(trees) < seconds(*best)) best = std::move(trees);
    }
  }
  return *std::move(best);
}

// Every step of the trees of node 0 from everywhere, round by round; what reduces from the last one on.
void lay_out(Schedule& schedule, const std::vector<NodeId>& nodes, const Torus& torus,
             std::span<const std::uint32_t> directions, const TranslatedTrees& trees, bool backwards) {
  std::vector<Position> position(nodes.size());
  for (std::size_t p = 0; p < nodes.size(); ++p) position[nodes[p].value] = static_cast<Position>(p);
  for (std::size_t r = 0; r < trees.rounds.size(); ++r) {
    const std::vector<TranslatedTrees::Step>& round = trees.rounds[backwards ? trees.rounds.size() - 1 - r : r];
    std::vector<Move> moves;
    moves.reserve(round.size() * nodes.size());
    for (std::uint32_t near = 0; near < nodes.size(); ++near)
      for (const TranslatedTrees::Step& step : round) {
        const std::uint32_t next = torus.sum(near, directions[step.direction]);
        const auto owner = static_cast<std::uint32_t>(position[torus.difference(next, step.node)]);
        Move move{.source = position[backwards ? next : near],
                  .destination = position[backwards ? near : next],
                  .source_slot = owner * trees.pieces + step.piece,
                  .destination_slot = owner * trees.pieces + step.piece,
                  .action = backwards ? Action::kReduce : Action::kStore};
        // Beside the last one
        if (!moves.empty() && moves.back().source == move.source && moves.back().destination == move.destination &&
            moves.back().source_slot + moves.back().count == move.source_slot)
          ++moves.back().count;
        else
          moves.push_back(move);
      }
    schedule.phases.push_back({.name = backwards ? "reduce" : "spread", .repeat = 1, .moves = std::move(moves)});
  }
}

// On a network that looks the same from every node; nothing where it does not.
std::optional<Schedule> by_translates(const CollectiveRequest& request, const Capabilities& capabilities,
                                      const Network& network) {
  const std::vector<long long> sides = sides_of(capabilities);
  if (sides.empty() || has_root(request.kind) || request.groups.size() != 1) return std::nullopt;
  const Torus torus(sides);
  if (static_cast<std::uint32_t>(request.ranks()) != torus.nodes()) return std::nullopt;
  Schedule schedule{.algorithm = std::string(kFitted), .kind = request.kind, .ranks = request.ranks()};
  for (const bool backwards : {true, false}) {
    if (request.kind == (backwards ? Kind::kAllGather : Kind::kReduceScatter)) continue;
    const Network seen = backwards ? reversed(network) : network;
    const std::vector<std::uint32_t> directions = directions_of(seen, torus);
    if (directions.empty()) return std::nullopt;
    const Bytes bytes = request.bytes / static_cast<double>(request.ranks());
    const Network::Arc& link = network.arcs.front();
    const TranslatedTrees trees = best_translates(torus, directions, bytes, link, capabilities.step_overhead);
    if (!schedule.phases.empty() && schedule.chunks != trees.pieces * torus.nodes()) return std::nullopt;
    schedule.chunks = trees.pieces * torus.nodes();
    lay_out(schedule, request.groups.front(), torus, directions, trees, backwards);
    if (backwards && request.kind == Kind::kAllReduce) continue;

    // The tightest cut is around one node
    TightCut cut{.inside = std::vector<bool>(network.vertices, true), .outward = {}};
    cut.inside.back() = false;
    cut.sources = torus.nodes() - 1;
    cut.links = static_cast<std::uint32_t>(directions.size());
    cut.outward = cut.links * link.rate;
    schedule.facts.push_back({kTranslatesFact, fmt::format("trees of one root, moved over {}", fmt::join(sides, "x"))});
    note(schedule, trees.pieces, static_cast<double>(trees.busiest) * cut.links / (1.0 * trees.pieces * cut.sources),
         cut, seen, backwards);
  }
  return schedule;
}

// All-to-all, as an exchange.
void exchange(Schedule& schedule, const CollectiveRequest& request, const Network& network, Time step_overhead,
              std::optional<std::uint32_t> units) {
  const LaidOut laid_out = add_exchange(schedule, request, network, step_overhead, units);
  const Binding binding = binding_links(*laid_out.spread, network);
  schedule.facts = {{kPiecesFact, static_cast<double>(laid_out.carried->units)},
                    {kWaysFact, static_cast<double>(schedule.ways.size())},
                    {kLoadFact, laid_out.carried->busiest / laid_out.spread->least},
                    {kBindingFact, binding.words},
                    {kBindingLinksFact, static_cast<double>(binding.arcs.size())}};
  std::ranges::sort(schedule.ways, {}, &PlannedWay::key);
}

Schedule build_fitted(const CollectiveRequest& request, const Capabilities& capabilities,
                      const Parameters& parameters) {
  if (!capabilities.network)
    throw Error(ErrorKind::kInfeasible,
                fmt::format("fitted needs links that it can look at, and '{}' shows none", capabilities.fabric), "",
                "use " + advised("algorithm", "auto"));
  const Position n = request.ranks();
  const bool rooted = has_root(request.kind);
  const double moves = rooted ? n - 1.0 : (n - 1.0) * n;
  const auto check_moves = [&](double most) {
    if (moves > most)
      throw Error(ErrorKind::kInfeasible,
                  fmt::format("fitted to {} ranks would have {:.2g} moves, more than {:.2g}", n, moves, most), "",
                  "use " + advised("algorithm", "auto") + ", or fewer ranks");
  };
  check_moves(kMostTranslates);
  const Network network = capabilities.network();
  std::optional<std::uint32_t> pieces;
  if (parameters.has("pieces")) pieces = static_cast<std::uint32_t>(parameters.integer("pieces"));
  if (!pieces && request.kind != Kind::kAllToAll)
    if (std::optional<Schedule> schedule = by_translates(request, capabilities, network)) return *std::move(schedule);
  check_moves(kMostMoves);

  Schedule schedule{.algorithm = std::string(kFitted), .kind = request.kind, .ranks = n, .root = request.root};
  if (request.kind == Kind::kAllToAll) {
    exchange(schedule, request, network, capabilities.step_overhead, pieces);
    return schedule;
  }
  std::optional<Cutting> asked;
  if (pieces) asked = Cutting{.pieces = *pieces};
  schedule.order = Order::kDataflow;
  schedule.adds_commute = true;
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
    Plan plan = best_plan(hops, spread, roots, asked, capabilities);
    asked = Cutting{.pieces = plan.pieces, .shape = plan.shape};  // of what spreads as of what reduced
    layout.add(plan, hops, backwards);
    schedule.chunks = plan.pieces * kSlotsOfPiece * static_cast<std::uint32_t>(roots.size());
    plans.emplace_back(std::move(plan), std::move(spread));
  }
  std::ranges::sort(schedule.ways, {}, &PlannedWay::key);
  const auto& [plan, spread] = plans.back();  // an all-reduce names what spreads
  note(schedule, plan.pieces, plan.trees.busiest / plan.target, plan.cut, spread.network, spread.backwards);
  return schedule;
}

}  // namespace

bool may_look_the_same(Kind kind, const Capabilities& capabilities) {
  return !has_root(kind) && !sides_of(capabilities).empty();
}

AlgorithmEntry fitted() {
  return {
      {.name = std::string(kFitted),
       .summary = "trees made for this very network, at the throughput of its tightest cut, down which pieces flow; "
                  "all-to-all by ways that load its links evenly",
       .reference = "ours; the cut and that trees reach it: Edmonds 1973; ForestColl, arXiv 2402.06787, 2024; prices: "
                    "Plotkin, Shmoys & Tardos 1995",
       .parameters =
           {{.name = "pieces",
             .type = ParameterType::kInteger,
             .minimum = "1",
             .maximum = "65536",
             .description = "pieces of what a rank puts in, each with a tree of its own, of all-to-all what it has for "
                            "one other; by "
                            "default as many as are worth it",
             .matters =
                 {.question =
                      "all-gather fabric=graph fabric.file=examples/graphs/two_racks.txt bytes=1MB algorithm=fitted",
                  .other = "7"},
             .optional = true}},
       .facts = {kTranslatesFact, kPiecesFact, kTreesFact, kCutFact, kCutLinksFact, kCutRateFact, kWaysFact, kLoadFact,
                 kBindingFact, kBindingLinksFact}},
      {.kinds = {std::begin(kAllKinds), std::end(kAllKinds)}, .build = build_fitted}};
}

}  // namespace helio::schedule
