// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/timetable.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "base/budget.h"

namespace helio::schedule {
namespace {

// A hop that waits for more than this part of the time that it transmits has two queues, and more from the next on.
constexpr double kWaits = 0.002, kFewWaits = 0.1;

// Of the waiting so much is not hidden: queues do wait at the same time now and then.
constexpr double kLost = 0.2;

class Station {
 public:
  Station(const Hops& hops, const std::vector<Tree>& trees, Bytes piece, Time overhead, Precedence precedence)
      : hops_(hops),
        trees_(trees),
        precedence_(precedence),
        takes_(hops.size(), 0),
        travels_(hops.size(), 0),
        free_at_(hops.size(), 0),
        ready_(hops.size()) {
    table_.queues.resize(hops.size(), 1);
    // What a piece takes of each hop
    std::vector<double> load(hops.network().arcs.size(), 0), pieces(hops.size(), 0);
    const auto of_arc = [&](std::uint32_t arc) { return seconds_at(piece, hops.network().arcs[arc].rate); };
    for (const Tree& tree : trees)
      for (Position p = 0; p < hops.ranks(); ++p)
        if (p != tree.root) {
          const HopId hop = tree.entering[static_cast<std::size_t>(p)];
          ++pieces[hop];
          for (const std::uint32_t arc : hops[hop].arcs) load[arc] += of_arc(arc);
        }
    for (HopId hop = 0; hop < hops.size(); ++hop) {
      if (pieces[hop] == 0) continue;
      double waits = overhead.to_seconds();
      for (const std::uint32_t arc : hops[hop].arcs) {
        takes_[hop] = std::max(takes_[hop], load[arc] / pieces[hop]);
        waits += hops.network().arcs[arc].latency.to_seconds();
      }
      travels_[hop] = takes_[hop] + waits;
      if (waits <= kWaits * takes_[hop]) continue;
      const double part = waits / takes_[hop];
      const std::uint32_t worth = part < kFewWaits ? 2 : part < 2 * kFewWaits ? 3 : kMostQueues;
      const std::uint32_t queues = table_.queues[hop] = std::min(worth, static_cast<std::uint32_t>(pieces[hop]));
      takes_[hop] += kLost * waits;
      travels_[hop] = std::max(queues * takes_[hop], travels_[hop]);
      takes_[hop] = travels_[hop] / queues;
    }
    for (std::uint32_t t = 0; t < trees.size(); ++t) enter(t);
    if (precedence == Precedence::kInTurn) take_turns();
  }

  Timetable run() {
    for (std::uint32_t t = 0; t < trees_.size(); ++t) arrive(t, trees_[t].root);
    for (HopId hop = 0; hop < ready_.size(); ++hop) serve(hop, 0);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.piece == kFreed) {
        serve(event.what, event.at);
        continue;
      }
      table_.end = std::max(table_.end, event.at);
      arrive(event.piece, static_cast<Position>(event.what));
      for (const HopId hop : children_[event.piece][event.what]) serve(hop, event.at);
    }
    return std::move(table_);
  }

 private:
  static constexpr std::uint32_t kFreed = 0xffffffffu;
  struct Event {
    double at;
    std::uint32_t piece, what;  // a piece and where it has come to; or kFreed and a hop
    bool operator<(const Event& other) const {
      return std::tie(at, piece, what) > std::tie(other.at, other.piece, other.what);
    }
  };
  struct Ready {
    double rest;  // the longest way still to go, or pieces of its root that are left
    std::uint32_t piece;
    bool operator<(const Ready& other) const { return rest != other.rest ? rest < other.rest : piece > other.piece; }
  };

  // Pieces of one root that have the same tree are spread evenly over all of its pieces.
  void take_turns() {
    std::map<std::pair<Position, std::vector<HopId>>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t t = 0; t < trees_.size(); ++t) alike[{trees_[t].root, trees_[t].entering}].push_back(t);
    left_.resize(trees_.size());
    for (const auto& [tree, pieces] : alike)
      for (std::size_t i = 0; i < pieces.size(); ++i)
        left_[pieces[i]] = 1 - (static_cast<double>(i) + 0.5) / static_cast<double>(pieces.size());
  }

  // Children of every rank, and how far it is to the leaves.
  void enter(std::uint32_t t) {
    const Tree& tree = trees_[t];
    const auto n = static_cast<std::size_t>(hops_.ranks());
    std::vector<std::vector<HopId>>& children = children_.emplace_back(n);
    for (std::size_t p = 0; p < n; ++p)
      if (static_cast<Position>(p) != tree.root)
        children[static_cast<std::size_t>(hops_[tree.entering[p]].from)].push_back(tree.entering[p]);
    std::vector<Position> order{tree.root};
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const HopId hop : children[static_cast<std::size_t>(order[i])]) order.push_back(hops_[hop].to);
    std::vector<double>& rest = rest_.emplace_back(n, 0.0);  // by the rank that a hop enters
    for (std::size_t i = order.size(); i-- > 1;) {
      const auto p = static_cast<std::size_t>(order[i]);
      rest[p] += travels_[tree.entering[p]];
      if (const Position parent = hops_[tree.entering[p]].from; parent != tree.root)
        rest[static_cast<std::size_t>(parent)] = std::max(rest[static_cast<std::size_t>(parent)], rest[p]);
    }
    Budget::spend(static_cast<std::int64_t>(20 * n));
  }

  void arrive(std::uint32_t piece, Position where) {
    for (const HopId hop : children_[piece][static_cast<std::size_t>(where)])
      ready_[hop].push(
          {precedence_ == Precedence::kLongest ? rest_[piece][static_cast<std::size_t>(hops_[hop].to)] : left_[piece],
           piece});
  }

  void serve(HopId hop, double now) {
    if (free_at_[hop] > now || ready_[hop].empty()) return;
    const std::uint32_t piece = ready_[hop].top().piece;
    ready_[hop].pop();
    table_.departures.push_back({now, piece, hop});
    free_at_[hop] = now + takes_[hop];
    events_.push({free_at_[hop], kFreed, hop});
    events_.push({now + travels_[hop], piece, static_cast<std::uint32_t>(hops_[hop].to)});
  }

  const Hops& hops_;
  const std::vector<Tree>& trees_;
  Precedence precedence_;
  std::vector<double> left_;                               // by piece: the part of its root's that is to go after it
  std::vector<double> takes_, travels_, free_at_;          // by hop
  std::vector<std::priority_queue<Ready>> ready_;          // by hop
  std::vector<std::vector<std::vector<HopId>>> children_;  // by piece and rank
  std::vector<std::vector<double>> rest_;
  std::priority_queue<Event> events_;
  Timetable table_;
};

}  // namespace

Timetable timetable_of(const Hops& hops, const std::vector<Tree>& trees, Bytes piece, Time overhead,
                       Precedence precedence) {
  return Station(hops, trees, piece, overhead, precedence).run();
}

}  // namespace helio::schedule
