// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/trees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>
#include <utility>

#include "base/budget.h"
#include "schedule/fitted/arborescence.h"

namespace helio::schedule {
namespace {

// A of the passes: the first may be off by pieces that are still to come.
constexpr double kSharpness[] = {24, 60, 120, 240, 240, 400, 400, 400, 800, 800};

// After so many passes without a gain no other is tried; of several groups at once, which do not reach the cut of one, after the first.
constexpr int kInVain = 3;

// What a hop costs more for each mean hop by which it is a detour.
constexpr double kDetour = 1;

// A hop that shares links is as slow as it is rarely taken, and costs up to so much more while it carries fewer pieces than these, and
// than this part of what a link carries in the mean. In the end those that lack more than kRare of them are given up.
constexpr double kFew = 4, kFewPieces = 60, kFewOfMean = 0.2, kRare = 0.5, kNeverTaken = 1e4;
constexpr int kSweeps = 3;

// Of a network with switches prices are asked for so many times in a pass, about, and where that takes long looks at so many arcs.
constexpr std::size_t kPrices = 1000, kLooks = 1'000'000;

class Choice {
 public:
  Choice(Hops& hops, Bytes bytes, double target) : hops_(hops), target_(target) {
    for (const Network::Arc& arc : hops.network().arcs) {
      takes_.push_back(seconds_at(bytes, arc.rate));
      latency_.push_back(arc.latency.to_seconds());
    }
    load_.assign(takes_.size(), 0);
    for (std::size_t a = 0; a < takes_.size(); ++a) alone_.push_back(takes_[a] + latency_[a]);
    const auto n = static_cast<std::size_t>(hops.ranks());
    for (const Hops::Offer& offer : hops.offers(alone_)) mean_ += offer.cost;
    mean_ /= static_cast<double>(hops.size());
    away_.resize(n);
  }

  Trees thrifty(std::span<const Position> roots) {
    few_ = std::min(kFewPieces, kFewOfMean * static_cast<double>(roots.size()) *
                                    static_cast<double>(hops_.ranks() - 1) / static_cast<double>(takes_.size()));
    const std::size_t looks = roots.size() * static_cast<std::size_t>(hops_.ranks()) * takes_.size();
    every_ = hops_.straight() ? 1 : 1 + std::max(roots.size() / kPrices, looks / kLooks);
    std::vector<Tree> trees;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const double done = (static_cast<double>(i) + 0.5) / static_cast<double>(roots.size());
      trees.push_back(cheapest(roots[i], kSharpness[0], done));
      put(trees.back(), +1);
    }
    Trees best{trees, busiest()};
    const auto pass = [&](double sharpness, const auto& again) {
      for (Tree& tree : trees) {
        if (!again(tree)) continue;
        put(tree, -1);
        tree = cheapest(tree.root, sharpness, 1);
        put(tree, +1);
      }
    };
    const auto spread_out = [&] {
      int in_vain = 0;
      const int most_in_vain = hops_.groups().size() == 1 ? kInVain : 1;
      for (const double sharpness : kSharpness) {
        if (busiest_is_enough(best.busiest) || in_vain == most_in_vain) return;
        pass(sharpness, [&](const Tree& tree) { return meets_too_much(tree); });
        ++in_vain;
        if (const double now = busiest(); now < best.busiest) best = {trees, now}, in_vain = 0;
      }
    };
    spread_out();
    if (hops_.straight()) return best;

    // Hops that few pieces take are given up
    for (const Tree& tree : trees) put(tree, -1);
    trees = best.trees;
    for (const Tree& tree : trees) put(tree, +1);
    avoids_ = kNeverTaken;
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      pass(kSharpness[3], [&](const Tree& tree) { return takes_rare(tree); });
    best = {trees, busiest()};
    spread_out();
    return best;
  }

  Trees shallow(std::span<const Position> roots) {
    Trees trees;
    for (const Position root : roots) {
      trees.trees.push_back(shortest(root));
      put(trees.trees.back(), +1);
    }
    trees.busiest = busiest();
    return trees;
  }

 private:
  bool busiest_is_enough(double seconds) const { return seconds <= target_ * (1 + kEnough); }
  double busiest() const { return *std::ranges::max_element(load_); }

  bool meets_too_much(const Tree& tree) const {
    for (Position p = 0; p < hops_.ranks(); ++p)
      if (p != tree.root)
        for (const std::uint32_t arc : hops_[tree.entering[static_cast<std::size_t>(p)]].arcs)
          if (load_[arc] > target_) return true;
    return false;
  }

  void put(const Tree& tree, int sign) {
    for (Position p = 0; p < hops_.ranks(); ++p)
      if (p != tree.root)
        for (const std::uint32_t arc : hops_[tree.entering[static_cast<std::size_t>(p)]].arcs)
          load_[arc] += sign * takes_[arc];
    if (hops_.straight()) return;
    pieces_.resize(hops_.size(), 0);
    for (Position p = 0; p < hops_.ranks(); ++p)
      if (p != tree.root) pieces_[tree.entering[static_cast<std::size_t>(p)]] += sign;
  }

  // How far a hop is from carrying as many pieces as are worth a line of their own, from 0 to 1.
  double lacks(HopId hop) const {
    if (hops_.straight()) return 0;
    return std::max(0.0, 1 - (hop < pieces_.size() ? pieces_[hop] : 0) / few_);
  }
  bool is_rare(HopId hop) const { return lacks(hop) > kRare; }
  bool takes_rare(const Tree& tree) const {
    for (Position p = 0; p < hops_.ranks(); ++p)
      if (p != tree.root && is_rare(tree.entering[static_cast<std::size_t>(p)])) return true;
    return false;
  }

  std::vector<Hops::Offer> offers(const std::vector<double>& price) {
    std::vector<Hops::Offer> offers = hops_.offers(price);
    Budget::spend(static_cast<std::int64_t>(40 * offers.size()));
    return offers;
  }

  // Loads are compared with `done` of the target. Asked for anew after every few trees, where it takes long.
  const std::vector<Hops::Offer>& offers_now(double sharpness, double done) {
    if (asked_++ % every_ != 0) return offered_;
    std::vector<double> price(load_.size());
    for (std::size_t a = 0; a < price.size(); ++a) {
      const double level = std::clamp(sharpness * (load_[a] / target_ - done), -40.0, 200.0);
      const double step = std::min(sharpness * takes_[a] / target_, 300.0);
      price[a] = std::exp(level) * std::expm1(step);
    }
    return offered_ = offers(price);
  }

  // Who leads away from the root is preferred, so that trees are no deeper than they must be.
  Tree cheapest(Position root, double sharpness, double done) {
    const std::vector<double>& away = away_from(root);
    const std::vector<Hops::Offer>& offered = offers_now(sharpness, done);
    std::vector<WeighedArc> arcs;
    arcs.reserve(offered.size());
    for (const Hops::Offer& offer : offered) {
      const auto from = static_cast<std::uint32_t>(hops_[offer.hop].from),
                 to = static_cast<std::uint32_t>(hops_[offer.hop].to);
      const double detour = away[from] + time_of(offer.hop) - away[to];
      arcs.push_back({from, to,
                      offer.cost * (1 + kDetour * std::max(0.0, detour) / mean_ +
                                    (is_rare(offer.hop) ? avoids_ : kFew) * lacks(offer.hop))});
    }
    const std::vector<std::uint32_t> chosen =
        cheapest_arborescence(static_cast<std::uint32_t>(hops_.ranks()), static_cast<std::uint32_t>(root), arcs);
    if (chosen.empty()) throw std::logic_error("a tree was asked for where somebody cannot be reached");
    Tree tree{.root = root, .entering = std::vector<HopId>(chosen.size(), 0)};
    for (std::size_t p = 0; p < chosen.size(); ++p)
      if (chosen[p] != kNoArc) tree.entering[p] = offered[chosen[p]].hop;
    return tree;
  }

  double time_of(HopId hop) const {
    double time = 0;
    for (const std::uint32_t arc : hops_[hop].arcs) time += alone_[arc];
    return time;
  }

  // How long a piece takes from the root to each rank where nobody else is, found once.
  const std::vector<double>& away_from(Position root) {
    std::vector<double>& away = away_[static_cast<std::size_t>(root)];
    if (away.empty()) away = reached_from(root, alone_).far;
    return away;
  }

  struct Reached {
    Tree tree;
    std::vector<double> far;  // by position
  };
  // Dijkstra over hops.
  Reached reached_from(Position root, const std::vector<double>& cost) {
    std::vector<std::vector<Hops::Offer>> leaving(static_cast<std::size_t>(hops_.ranks()));
    for (const Hops::Offer& offer : offers(cost))
      leaving[static_cast<std::size_t>(hops_[offer.hop].from)].push_back(offer);
    Reached reached{{.root = root, .entering = std::vector<HopId>(leaving.size(), 0)},
                    std::vector<double>(leaving.size(), std::numeric_limits<double>::infinity())};
    std::vector<double>& far = reached.far;
    using Entry = std::pair<double, Position>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    far[static_cast<std::size_t>(root)] = 0;
    queue.push({0, root});
    while (!queue.empty()) {
      const auto [at, p] = queue.top();
      queue.pop();
      if (at > far[static_cast<std::size_t>(p)]) continue;
      for (const Hops::Offer& offer : leaving[static_cast<std::size_t>(p)]) {
        const auto to = static_cast<std::size_t>(hops_[offer.hop].to);
        if (at + offer.cost >= far[to]) continue;
        far[to] = at + offer.cost;
        reached.tree.entering[to] = offer.hop;
        queue.push({far[to], hops_[offer.hop].to});
      }
    }
    return reached;
  }

  // What other pieces have on a link comes first.
  Tree shortest(Position root) {
    std::vector<double> cost = alone_;
    for (std::size_t a = 0; a < cost.size(); ++a) cost[a] += load_[a];
    return reached_from(root, cost).tree;
  }

  Hops& hops_;
  double target_;
  std::vector<double> takes_, latency_, alone_, load_;  // by arc, in seconds: a piece takes; both; all pieces take
  double mean_ = 0;                                     // of hops, alone
  std::vector<double> pieces_;                          // by hop
  double few_ = 1, avoids_ = kFew;
  std::size_t asked_ = 0, every_ = 1;
  std::vector<Hops::Offer> offered_;
  std::vector<std::vector<double>> away_;  // by root and position
};

}  // namespace

Trees choose_trees(Hops& hops, std::span<const Position> roots, Bytes bytes, double target, Shape shape) {
  Choice choice(hops, bytes, target);
  return shape == Shape::kThrifty ? choice.thrifty(roots) : choice.shallow(roots);
}

}  // namespace helio::schedule
