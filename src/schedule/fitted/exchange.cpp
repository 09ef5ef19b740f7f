// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/budget.h"
#include "base/error.h"
#include "base/memo.h"
#include "base/quantity.h"
#include "schedule/fitted/tightest_cut.h"

namespace helio::schedule {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kUnknown = 0xffffffffu;

// A of the first passes and of the last, and by how much it grows where a pass gains less than kSlow of what it leaves to gain. Ways of the
// least latency are for what is short, and need not be as even.
constexpr double kBluntest = 12, kSharpest = 1000, kSharpestShort = 200, kSharper = 1.5, kSlow = 0.0005;

// Near enough to what is proven. Prices are held to it every so many passes, and where A grows once more at an A that is blunter by kBlunter:
// loads of whole parts are not as even as prices should be.
constexpr double kEven = 0.004, kBlunter = 8;
constexpr int kProveEvery = 8, kMostStuck = 20;

// Sources times links that are looked at in all passes, about; and passes, whatever they take.
constexpr double kMostWork = 2e7, kFewPasses = 40, kManyPasses = 2000;

// What a link costs for its length, as a part of what links cost in the mean: at most so much, and less as A grows. Where only the shortest ways
// are taken, it decides.
constexpr double kDetour = 0.01, kDetourOfSharpness = 0.2, kDecides = 1e7;

// The length of a link beside its latency, in mean latencies: of ways with the same latency the one with fewest links is the shortest.
constexpr double kLengthOfHop = 0.01;

// Up to so many pairs have parts, and what a rank puts in has so many units, or all ranks together; of more each goes whole.
constexpr double kMostSplit = 1 << 15;
constexpr double kUnitsOfRank = 4096, kUnitsOfAll = 16384;

constexpr int kMostHalvings = 6;

// Whole parts that one of the busiest links has more than the others.
constexpr int kMoreParts = 3;

// Loads that are as near are equal.
constexpr double kRounded = 1e-9;

struct Part {
  std::uint32_t way = 0;
  double share = 1;  // of what the pair has
};

class Search {
 public:
  Search(const Network& network, const std::vector<std::vector<NodeId>>& groups, Spread spread, std::uint32_t units)
      : network_(network), groups_(groups), spread_(spread), n_(groups.front().size()), ways_(network.vertices) {
    const std::size_t links = network.arcs.size();
    const double n = static_cast<double>(n_), pairs = static_cast<double>(groups.size()) * n * (n - 1);
    units_ = units > 0            ? units
             : pairs > kMostSplit ? 1
                                  : static_cast<std::uint32_t>(std::max(kUnitsOfAll / (n * n), kUnitsOfRank / n));
    parts_.resize(groups.size() * n_ * n_);

    start_.assign(network.vertices + 1, 0);
    for (const Network::Arc& arc : network.arcs) ++start_[arc.from + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    leaving_.resize(links);
    std::vector<std::uint32_t> at(start_.begin(), start_.end() - 1);
    double latencies = 0;
    for (std::uint32_t a = 0; a < links; ++a) {
      leaving_[at[network.arcs[a].from]++] = a;
      takes_.push_back(seconds_at(Bytes{1}, network.arcs[a].rate));
      latencies += network.arcs[a].latency.to_seconds();
    }
    const double mean = latencies / static_cast<double>(links);
    for (const Network::Arc& arc : network.arcs)
      length_.push_back((mean > 0 ? arc.latency.to_seconds() / mean : 0) + kLengthOfHop);
    load_.assign(links, 0);
    price_.assign(links, 1);
    cost_.assign(links, 0);
    met_.assign(links, 0);
    far_.resize(network.vertices);
    last_.resize(network.vertices);
    way_.resize(network.vertices);
  }

  Exchange run() {
    prove();
    const bool thrifty = spread_ == Spread::kThrifty;
    const double sharpest = thrifty ? kSharpest : kSharpestShort;
    const auto even = [&] { return thrifty && busiest() <= (1 + kEven) * least_; };
    const double work = static_cast<double>(groups_.size() * n_ * network_.arcs.size());
    const double passes = std::clamp(kMostWork / work, kFewPasses, kManyPasses);
    double before = kNever;
    int unproven = 0, stuck = 0;
    for (int pass = 0; pass < passes && (pass == 0 || !even()); ++pass) {
      if (pass == 0)
        set_out();
      else
        take_up();
      target_ = busiest();
      set_prices();
      const double now = smoothed(), rest = now * std::log(static_cast<double>(price_.size())) / sharpness_;
      const bool gains = before - now > kSlow * rest;
      if (thrifty && (!gains || ++unproven == kProveEvery)) {
        prove();
        unproven = 0;
      }
      before = now;
      if (gains) continue;
      if (thrifty && !even()) prove_at(sharpness_ / kBlunter);
      if (sharpness_ == sharpest && (!thrifty || ++stuck == kMostStuck)) break;
      sharpness_ = std::min(sharpest, sharpness_ * kSharper);
      before = kNever;
    }
    if (units_ == 1) single_out();
    return in_units();
  }

 private:
  double busiest() const { return *std::ranges::max_element(load_); }
  // Of all links, the busiest most: at most ln(links) / A more than the busiest.
  double smoothed() const { return target_ * (1 + std::log(std::reduce(price_.begin(), price_.end())) / sharpness_); }
  std::uint32_t node(std::size_t group, std::size_t p) const { return groups_[group][p].value; }
  std::vector<Part>& parts(std::size_t group, std::size_t p, std::size_t q) {
    return parts_[(group * n_ + p) * n_ + q];
  }

  void set_price(std::size_t a) {
    price_[a] = std::exp(std::clamp(sharpness_ * (load_[a] / target_ - 1), -200.0, 50.0));
    cost_[a] = price_[a] * takes_[a] + detour_ * length_[a];
  }
  void set_prices() {
    double all = 0;
    for (std::size_t a = 0; a < price_.size(); ++a) set_price(a), all += price_[a] * takes_[a];
    detour_ = all / static_cast<double>(price_.size()) *
              (spread_ == Spread::kShort ? kDecides : std::min(kDetour, kDetourOfSharpness / sharpness_));
    for (std::size_t a = 0; a < price_.size(); ++a) cost_[a] = price_[a] * takes_[a] + detour_ * length_[a];
  }

  // Dijkstra.
  void reach_from(std::uint32_t start, std::span<const double> cost) {
    Budget::spend(static_cast<std::int64_t>(4 * cost.size()));
    std::ranges::fill(far_, kNever);
    far_[start] = 0;
    heap_.assign(1, {0, start});
    while (!heap_.empty()) {
      std::ranges::pop_heap(heap_, std::greater<>());
      const auto [at, v] = heap_.back();
      heap_.pop_back();
      if (at > far_[v]) continue;
      for (std::uint32_t i = start_[v]; i < start_[v + 1]; ++i) {
        const std::uint32_t a = leaving_[i], to = network_.arcs[a].to;
        if (at + cost[a] >= far_[to]) continue;
        far_[to] = at + cost[a];
        last_[to] = a;
        heap_.emplace_back(far_[to], to);
        std::ranges::push_heap(heap_, std::greater<>());
      }
    }
  }

  // The way to a vertex in the last search.
  std::uint32_t way_to(std::uint32_t v, std::uint32_t start) {
    if (v == start) return WayTree::out_of(start);
    if (way_[v] == kUnknown) way_[v] = ways_.longer(way_to(network_.arcs[last_[v]].from, start), last_[v]);
    return way_[v];
  }

  // What prices prove, if it is more than what was proven before.
  void prove() {
    std::vector<double> cost(price_.size());
    for (std::size_t a = 0; a < cost.size(); ++a) cost[a] = price_[a] * takes_[a];
    double cheapest = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t p = 0; p < n_; ++p) {
        reach_from(node(g, p), cost);
        for (std::size_t q = 0; q < n_; ++q) {
          cheapest += far_[node(g, q)];
          if (far_[node(g, q)] == kNever)
            throw Error(ErrorKind::kInfeasible,
                        fmt::format("{} cannot be reached from {}", name_of(network_, node(g, q)),
                                    name_of(network_, node(g, p))),
                        "", "add the links that lead there, or leave it out of the group");
        }
      }
    const double least = cheapest / std::reduce(price_.begin(), price_.end());
    if (least > least_) least_ = least, prices_ = price_;
  }
  void prove_at(double sharpness) {
    const double sharper = std::exchange(sharpness_, sharpness);
    set_prices();
    prove();
    sharpness_ = sharper;
  }

  // The first pass: loads are those of the sources so far.
  void set_out() {
    const double all = static_cast<double>(groups_.size() * n_);
    double sources = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t p = 0; p < n_; ++p) {
        target_ = std::max(least_ * ++sources / all, busiest());
        set_prices();
        for_each_cheapest(g, p, [&](std::vector<Part>& parts, std::uint32_t way) {
          parts = {{way, 1.0}};
          ways_.for_each_arc(way, [&](std::uint32_t a) { load_[a] += takes_[a]; });
        });
      }
  }

  void take_up() {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t p = 0; p < n_; ++p)
        for_each_cheapest(g, p, [&](std::vector<Part>& parts, std::uint32_t way) { improve(parts, way); });
  }

  // Calls visit(parts, way) for the way to each other member that is the cheapest before the first call.
  template <class Visit>
  void for_each_cheapest(std::size_t g, std::size_t p, Visit visit) {
    reach_from(node(g, p), cost_);
    std::ranges::fill(way_, kUnknown);
    for (std::size_t i = 1; i < n_; ++i) {
      const std::size_t q = (p + i) % n_;
      visit(parts(g, p, q), way_to(node(g, q), node(g, p)));
    }
  }

  double cost_of(std::uint32_t way) const {
    double cost = 0;
    ways_.for_each_arc(way, [&](std::uint32_t a) { cost += cost_[a]; });
    return cost;
  }

  // Moves what is on the dearest way to the cheapest, or as much of it as pays.
  void improve(std::vector<Part>& parts, std::uint32_t way) {
    double dearest = 0, cheapest = cost_of(way);
    std::size_t worst = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double cost = cost_of(parts[i].way);
      if (cost > dearest) dearest = cost, worst = i;
      if (cost < cheapest) cheapest = cost, way = parts[i].way;
    }
    constexpr double kSame = 1e-9;
    if (parts[worst].way == way || dearest <= cheapest * (1 + kSame)) return;

    // Links that only one of the two takes
    changed_.clear();
    ++round_;
    ways_.for_each_arc(way, [&](std::uint32_t a) { met_[a] = round_; });
    ways_.for_each_arc(parts[worst].way, [&](std::uint32_t a) {
      if (met_[a] == round_)
        met_[a] = 0;
      else
        changed_.push_back({a, -1});
    });
    ways_.for_each_arc(way, [&](std::uint32_t a) {
      if (met_[a] == round_) changed_.push_back({a, +1});
    });
    double curve = 0, longer = 0;
    for (const auto& [a, sign] : changed_) {
      curve += sharpness_ / target_ * price_[a] * takes_[a] * takes_[a];
      longer += sign * detour_ * length_[a];
    }
    const double all = parts[worst].share;
    double share = units_ == 1 ? all : std::min((dearest - cheapest) / curve, all);
    const auto change = [&] {
      double sum = longer * share;
      for (const auto& [a, sign] : changed_)
        sum += target_ / sharpness_ * price_[a] * std::expm1(sign * sharpness_ * share * takes_[a] / target_);
      return sum;
    };
    for (int halvings = 0; change() >= 0; ++halvings, share /= 2)
      if (units_ == 1 || halvings == kMostHalvings) return;

    for (const auto& [a, sign] : changed_) {
      load_[a] += sign * share * takes_[a];
      set_price(a);
    }
    const auto same = std::ranges::find(parts, way, &Part::way);
    if (same != parts.end())
      same->share += share;
    else if (share < all)
      parts.push_back({way, share});
    if (share < all)
      parts[worst].share -= share;
    else if (same == parts.end())
      parts[worst].way = way;
    else
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(worst));
  }

  // Of many links that are the busiest one gets a part more, by a way that is no longer than before: the last to be done with
  // what it carries, it alone tells when all are (simulate/last_end.h), and a hundred thousand ends need not be followed.
  void single_out() {
    const double most = busiest() * (1 - kRounded);
    const auto last = static_cast<std::uint32_t>(std::ranges::max_element(load_) - load_.begin());
    std::vector<double> cost = length_;
    int more = kMoreParts;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t p = 0; p < n_ && more > 0; ++p) {
        for (std::size_t a = 0; a < cost.size(); ++a) cost[a] = load_[a] >= most ? kNever : length_[a];
        cost[last] = length_[last] / 2;  // so that it is taken where others are as long
        reach_from(node(g, p), cost);
        std::ranges::fill(way_, kUnknown);
        for (std::size_t q = 0; q < n_; ++q) {
          if (q == p || far_[node(g, q)] == kNever) continue;
          std::uint32_t& taken = parts(g, p, q).front().way;
          const std::uint32_t way = way_to(node(g, q), node(g, p));
          double longer = 0;
          int takes = 0;  // the last link: in the end, less before
          ways_.for_each_arc(way, [&](std::uint32_t a) { longer += length_[a], takes += a == last; });
          ways_.for_each_arc(taken, [&](std::uint32_t a) { longer -= length_[a], takes -= a == last; });
          if (takes != 1 || longer > kLengthOfHop / 2) continue;
          ways_.for_each_arc(taken, [&](std::uint32_t a) { load_[a] -= takes_[a]; });
          ways_.for_each_arc(way, [&](std::uint32_t a) { load_[a] += takes_[a]; });
          taken = way;
          --more;
          break;  // other links may have as much as is allowed now
        }
      }
  }

  // Shares as whole units: those that lack most are rounded up.
  Exchange in_units() {
    Exchange found;
    found.units = units_;
    found.pairs.resize(parts_.size());
    std::ranges::fill(load_, 0);
    std::vector<std::pair<double, std::size_t>> lacking;
    for (std::size_t pair = 0; pair < parts_.size(); ++pair) {
      std::vector<Exchange::Part>& whole = found.pairs[pair];
      lacking.clear();
      std::uint32_t left = parts_[pair].empty() ? 0 : units_;
      for (const Part& part : parts_[pair]) {
        const double units = part.share * units_;
        whole.push_back({part.way, std::min(left, static_cast<std::uint32_t>(units))});
        left -= whole.back().units;
        lacking.emplace_back(static_cast<double>(whole.back().units) - units, lacking.size());
      }
      std::ranges::sort(lacking);
      for (std::size_t i = 0; left > 0; ++i, --left) ++whole[lacking[i % lacking.size()].second].units;
      std::erase_if(whole, [](const Exchange::Part& part) { return part.units == 0; });
      for (const Exchange::Part& part : whole)
        ways_.for_each_arc(part.way, [&](std::uint32_t a) { load_[a] += takes_[a] * part.units / units_; });
    }
    found.busiest = busiest();
    found.least = least_;
    found.prices = std::move(prices_);
    found.ways = std::move(ways_);
    return found;
  }

  const Network& network_;
  const std::vector<std::vector<NodeId>>& groups_;
  Spread spread_;
  std::size_t n_;
  std::uint32_t units_ = 1;
  std::vector<std::vector<Part>> parts_;  // by pair
  WayTree ways_;
  double sharpness_ = kBluntest, target_ = 1, detour_ = 0;  // A, T, and what a link costs for its length
  double least_ = 0;
  std::vector<double> prices_;                                // that prove it
  std::vector<std::uint32_t> start_, leaving_;                // arcs by vertex
  std::vector<double> takes_, length_, load_, price_, cost_;  // by arc: seconds for a byte; …
  std::vector<double> far_;                                   // by vertex, of the last search
  std::vector<std::uint32_t> last_, way_;                     // the arc by which it was reached, and the way
  std::vector<std::pair<double, std::uint32_t>> heap_;
  struct Change {
    std::uint32_t arc;
    double sign;
  };
  std::vector<Change> changed_;
  std::vector<std::uint32_t> met_;  // by arc: the round in which it was
  std::uint32_t round_ = 0;
};

}  // namespace

std::uint32_t WayTree::longer(std::uint32_t way, std::uint32_t arc) {
  for (std::uint32_t at = ways_[way].first; at != kNone; at = ways_[at].next)
    if (ways_[at].arc == arc) return at;
  const auto fresh = static_cast<std::uint32_t>(ways_.size());
  ways_.push_back({way, arc, kNone, ways_[way].first});
  ways_[way].first = fresh;
  return fresh;
}

bool can_be_searched(const Network& network, const std::vector<std::vector<NodeId>>& groups) {
  constexpr double kMost = 1 << 21;  // sources times links
  return static_cast<double>(groups.size() * groups.front().size()) * static_cast<double>(network.arcs.size()) <= kMost;
}

std::shared_ptr<const Exchange> exchange_on(const Network& network, const std::vector<std::vector<NodeId>>& groups,
                                            Spread spread, std::uint32_t units) {
  // All that the search looks at
  std::vector<std::uint64_t> key{static_cast<std::uint64_t>(spread), units, network.vertices, groups.size()};
  for (const std::vector<NodeId>& group : groups)
    for (const NodeId node : group) key.push_back(node.value);
  for (const Network::Arc& arc : network.arcs)
    for (const std::uint64_t word :
         {std::uint64_t{arc.from} << 32 | arc.to, std::bit_cast<std::uint64_t>(arc.rate.value),
          std::bit_cast<std::uint64_t>(arc.latency.to_seconds())})
      key.push_back(word);
  static Memo<std::vector<std::uint64_t>, std::shared_ptr<const Exchange>> known(4);
  return known.of(key, [&] { return std::make_shared<const Exchange>(Search(network, groups, spread, units).run()); });
}

Binding binding_links(const Exchange& exchange, const Network& network) {
  constexpr double kMuchLess = 0.5;
  constexpr std::size_t kNamed = 4;
  const double highest = *std::ranges::max_element(exchange.prices);
  Binding binding;
  std::vector<std::string> named;
  for (std::uint32_t a = 0; a < network.arcs.size(); ++a) {
    if (exchange.prices[a] < kMuchLess * highest) continue;
    binding.arcs.push_back(a);
    if (named.size() < kNamed)
      named.push_back(
          fmt::format("{} to {}", name_of(network, network.arcs[a].from), name_of(network, network.arcs[a].to)));
  }
  const std::size_t more = binding.arcs.size() - named.size();
  binding.words = fmt::format("{}{}", fmt::join(named, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  return binding;
}

}  // namespace helio::schedule
