// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/translates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <tuple>

#include "base/budget.h"

namespace helio::schedule {
namespace {

constexpr std::size_t kMostDirections = 10;  // sets of them are looked at one by one
using Set = std::uint32_t;                   // of directions

// A piece that may come to a node in the next round.
struct Candidate {
  Set from = 0;  // by any of these
  std::uint32_t far = 0, piece = 0, node = 0;
  // Who has the fewest ways in first, then the nearest
  auto rank() const { return std::tuple(std::popcount(from), far, piece, node); }
};

// Candidates for directions, at most so many each.
class Matching {
 public:
  Matching(std::size_t directions, std::size_t most) : taken_(directions), most_(most) {}

  // Whether there is room for it too, when others give way.
  bool take(const Candidate& candidate) {
    constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
    struct Way {
      std::size_t before = kNobody, which = 0;  // whose candidate may move on to this direction
      bool seen = false;
    };
    std::array<Way, kMostDirections> ways;
    std::vector<std::size_t> queue;
    for (std::size_t d = 0; d < taken_.size(); ++d)
      if (candidate.from >> d & 1) queue.push_back(d), ways[d].seen = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::size_t d = queue[i];
      if (taken_[d].size() == most_) {
        for (std::size_t k = 0; k < taken_[d].size(); ++k)
          for (std::size_t e = 0; e < taken_.size(); ++e)
            if (!ways[e].seen && (taken_[d][k].from >> e & 1) != 0) {
              ways[e] = {d, k, true};
              queue.push_back(e);
            }
        continue;
      }
      std::size_t to = d;
      for (; ways[to].before != kNobody; to = ways[to].before) {
        std::vector<Candidate>& others = taken_[ways[to].before];
        taken_[to].push_back(others[ways[to].which]);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(ways[to].which));
      }
      taken_[to].push_back(candidate);
      return true;
    }
    return false;
  }

  const std::vector<std::vector<Candidate>>& taken() const { return taken_; }

 private:
  std::vector<std::vector<Candidate>> taken_;  // by direction
  std::size_t most_;
};

// How often each set of directions, or a part of it, is all that candidates have.
std::vector<std::size_t> within_sets(const std::vector<Candidate>& candidates, std::size_t directions) {
  std::vector<std::size_t> count(std::size_t{1} << directions, 0);
  for (const Candidate& candidate : candidates) ++count[candidate.from];
  for (std::size_t d = 0; d < directions; ++d)
    for (Set set = 0; set < count.size(); ++set)
      if (set >> d & 1) count[set] += count[set ^ (Set{1} << d)];
  return count;
}

// The most that every direction can have at once; at least one each.
std::size_t most_for_all(const std::vector<std::size_t>& within) {
  const std::size_t all = within.size() - 1;
  std::size_t most = within[all];
  for (Set set = 1; set < within.size(); ++set)
    most = std::min(most, (within[all] - within[all & ~set]) / static_cast<std::size_t>(std::popcount(set)));
  return std::max<std::size_t>(most, 1);
}

// The least that a direction must take so that nobody is left.
std::size_t least_for_everybody(const std::vector<std::size_t>& within) {
  std::size_t least = 1;
  for (Set set = 1; set < within.size(); ++set) {
    const auto directions = static_cast<std::size_t>(std::popcount(set));
    least = std::max(least, (within[set] + directions - 1) / directions);
  }
  return least;
}

}  // namespace

Torus::Torus(std::span<const long long> sides) {
  for (const long long side : sides) {
    sides_.push_back(static_cast<std::uint32_t>(side));
    nodes_ *= sides_.back();
  }
}

std::uint32_t Torus::sum(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t result = 0, stride = 1;
  for (const std::uint32_t side : sides_) {
    const std::uint32_t x = a % side + b % side;
    result += stride * (x < side ? x : x - side);
    stride *= side;
    a /= side;
    b /= side;
  }
  return result;
}

std::uint32_t Torus::difference(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t result = 0, stride = 1;
  for (const std::uint32_t side : sides_) {
    const std::uint32_t x = a % side + side - b % side;
    result += stride * (x < side ? x : x - side);
    stride *= side;
    a /= side;
    b /= side;
  }
  return result;
}

std::vector<std::uint32_t> directions_of(const Network& network, const Torus& torus) {
  if (network.vertices != torus.nodes() || network.nodes != torus.nodes() || network.arcs.empty()) return {};
  std::vector<std::vector<std::uint32_t>> leaving(network.vertices);
  const Network::Arc& first = network.arcs.front();
  for (const Network::Arc& arc : network.arcs) {
    if (arc.rate.value != first.rate.value || arc.latency != first.latency) return {};
    leaving[arc.from].push_back(torus.difference(arc.to, arc.from));
  }
  for (std::vector<std::uint32_t>& differences : leaving) {
    std::ranges::sort(differences);
    if (differences != leaving.front()) return {};
  }
  const std::vector<std::uint32_t>& all = leaving.front();
  const bool twice = std::ranges::adjacent_find(all) != all.end();
  return twice || all.size() > kMostDirections ? std::vector<std::uint32_t>() : all;
}

TranslatedTrees translated_trees(const Torus& torus, std::span<const std::uint32_t> directions, std::uint32_t pieces,
                                 Rounds rounds) {
  const std::uint32_t n = torus.nodes();
  const std::size_t ways = directions.size();

  // How far everybody is
  constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> far(n, kNowhere), order{0};
  far[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t direction : directions)
      if (const std::uint32_t next = torus.sum(order[i], direction); far[next] == kNowhere) {
        far[next] = far[order[i]] + 1;
        order.push_back(next);
      }

  // From round to round whoever has a piece offers it to its neighbours
  TranslatedTrees trees{.pieces = pieces, .rounds = {}, .busiest = 0};
  std::vector<std::vector<Set>> from(pieces, std::vector<Set>(n, 0));  // by which it may come; by piece and node
  std::vector<std::vector<bool>> has(pieces, std::vector<bool>(n, false));
  std::vector<Candidate> candidates;
  const auto arrive = [&](std::uint32_t piece, std::uint32_t node) {
    has[piece][node] = true;
    for (std::size_t d = 0; d < ways; ++d) {
      const std::uint32_t next = torus.sum(node, directions[d]);
      if (has[piece][next]) continue;
      if (from[piece][next] == 0) candidates.push_back({.far = far[next], .piece = piece, .node = next});
      from[piece][next] |= Set{1} << d;
    }
  };
  for (std::uint32_t piece = 0; piece < pieces; ++piece) arrive(piece, 0);
  while (!candidates.empty()) {
    for (Candidate& candidate : candidates) candidate.from = from[candidate.piece][candidate.node];
    std::ranges::sort(candidates, {}, &Candidate::rank);
    const std::vector<std::size_t> within = within_sets(candidates, ways);
    const std::size_t most = rounds == Rounds::kThrifty ? most_for_all(within) : least_for_everybody(within);
    Matching matching(ways, most);
    std::vector<Candidate> left;
    std::size_t taken = 0;
    for (const Candidate& candidate : candidates)
      if (taken < most * ways && matching.take(candidate))
        ++taken;
      else
        left.push_back(candidate);
    Budget::spend(static_cast<std::int64_t>(50 * ways * candidates.size()));
    candidates = std::move(left);

    std::vector<TranslatedTrees::Step>& round = trees.rounds.emplace_back();
    std::size_t busiest = 0;
    for (std::uint32_t d = 0; d < ways; ++d) {
      busiest = std::max(busiest, matching.taken()[d].size());
      for (const Candidate& candidate : matching.taken()[d]) round.push_back({d, candidate.node, candidate.piece});
    }
    trees.busiest += busiest;
    for (const TranslatedTrees::Step& step : round) arrive(step.piece, step.node);
    std::ranges::sort(round, [](const TranslatedTrees::Step& a, const TranslatedTrees::Step& b) {
      return std::tuple(a.direction, b.node, a.piece) < std::tuple(b.direction, a.node, b.piece);
    });
  }
  return trees;
}

}  // namespace helio::schedule
