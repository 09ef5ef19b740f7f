// SPDX-License-Identifier: Apache-2.0
// How far SiP-Ring's heuristic is from the integer program that it stands for (papers/oddl.md 3.1), where that can be searched through: one
// ring, few pairs.
//
//   exact: the largest t such that every pair has ceil(t d) wavelengths, each of them one way round or the other, and no segment has more than
//   it has. t is k / d of some pair, so that values are tried by halving, and ways by depth-first search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "fabric/wdm/sip_allocation.h"

namespace helio::fabric {
namespace {

class Exact {
 public:
  Exact(const SipRings& rings, const std::vector<SipDemand>& demands)
      : rings_(rings), demands_(demands), left_{Left(rings.nodes, rings.each), Left(rings.nodes, rings.each)} {}

  // Of the slowest pair in one turn; none: not even one wavelength for each fits.
  std::optional<double> time() {
    std::vector<double> values;  // of 1 / t
    for (const SipDemand& demand : demands_)
      for (std::uint32_t k = 1; k <= 2 * rings_.each; ++k) values.push_back(demand.amount / k);
    std::ranges::sort(values);
    std::size_t low = 0, high = values.size();  // nothing below `low` is possible, all from `high` on is
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (fits(values[middle]))
        high = middle;
      else
        low = middle + 1;
    }
    return high == values.size() ? std::nullopt : std::optional(values[high]);
  }

 private:
  using Left = std::vector<std::uint32_t>;  // wavelengths of each segment, by the node that it leaves

  bool fits(double time) {
    wanted_.clear();
    for (const SipDemand& demand : demands_)
      wanted_.push_back(std::max(1u, static_cast<std::uint32_t>(std::ceil(demand.amount / time - 1e-9))));
    return place(0);
  }

  bool place(std::size_t pair) {
    if (pair == demands_.size()) return true;
    for (std::uint32_t clockwise = 0; clockwise <= wanted_[pair]; ++clockwise) {
      const std::uint32_t counter = wanted_[pair] - clockwise;
      if (!take(pair, 0, clockwise)) continue;
      if (take(pair, 1, counter)) {
        const bool done = place(pair + 1);
        give(pair, 1, counter);
        if (done) {
          give(pair, 0, clockwise);
          return true;
        }
      }
      give(pair, 0, clockwise);
    }
    return false;
  }

  template <class Visit>
  void walk(std::size_t pair, int direction, const Visit& visit) {
    const SipDemand& demand = demands_[pair];
    std::uint32_t at = demand.from;
    for (std::uint32_t hops = sip_hops(rings_, demand.from, demand.to, direction); hops > 0; --hops) {
      visit(left_[direction][at]);
      at = direction == 0 ? (at + 1) % rings_.nodes : (at + rings_.nodes - 1) % rings_.nodes;
    }
  }
  bool take(std::size_t pair, int direction, std::uint32_t count) {
    bool room = true;
    walk(pair, direction, [&](std::uint32_t& left) { room = room && left >= count; });
    if (room) walk(pair, direction, [&](std::uint32_t& left) { left -= count; });
    return room;
  }
  void give(std::size_t pair, int direction, std::uint32_t count) {
    walk(pair, direction, [&](std::uint32_t& left) { left += count; });
  }

  SipRings rings_;
  const std::vector<SipDemand>& demands_;
  Left left_[2];
  std::vector<std::uint32_t> wanted_;
};

// The heuristic's: turns follow each other, each as long as its slowest pair.
double heuristic_time(const SipRings& rings, const std::vector<SipDemand>& demands) {
  const std::vector<SipShare> shares = allocate(rings, demands);
  std::map<std::uint32_t, double> turns;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    double& longest = turns[shares[i].turn];
    longest = std::max(longest, demands[i].amount / shares[i].wavelengths());
  }
  double sum = 0;
  for (const auto& [turn, longest] : turns) sum += longest;
  return sum;
}

// Neighbours one way: all of that direction. Both ways between two nodes: all of both directions is shared.
TEST(SipExact, AgreesWhereTheAnswerIsKnown) {
  const SipRings rings{.nodes = 6, .rings = 1, .each = 4};
  std::vector<SipDemand> ring;
  for (std::uint32_t i = 0; i < 6; ++i) ring.push_back({i, (i + 1) % 6, 1, -1});
  EXPECT_DOUBLE_EQ(*Exact(rings, ring).time(), 0.25);
  EXPECT_DOUBLE_EQ(heuristic_time(rings, ring), 0.25);
  const std::vector<SipDemand> alone = {{0, 3, 1, -1}};  // both ways round are three segments
  EXPECT_DOUBLE_EQ(*Exact(rings, alone).time(), 1.0 / 8);
  EXPECT_DOUBLE_EQ(heuristic_time(rings, alone), 1.0 / 8);
}

// A population of random demands, sizes 1 to 4.
struct Population {
  std::uint32_t nodes_from, nodes_upto, pairs_from, pairs_upto, most_wavelengths;
};
struct Gap {
  int compared = 0, equal = 0, in_turns = 0;
  double mean = 0, worst = 1;
};

Gap gap_of(const Population& of) {
  Gap gap;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const auto between = [&](std::uint32_t from, std::uint32_t upto) {
      return static_cast<std::uint32_t>(from + random.below(upto - from + 1));
    };
    const SipRings rings{
        .nodes = between(of.nodes_from, of.nodes_upto), .rings = 1, .each = between(1, of.most_wavelengths)};
    std::vector<SipDemand> demands;
    for (std::uint32_t p = between(of.pairs_from, of.pairs_upto); p > 0; --p) {
      const std::uint32_t from = between(0, rings.nodes - 1);
      demands.push_back({from, (from + between(1, rings.nodes - 1)) % rings.nodes, 1.0 * between(1, 4), -1});
    }
    const std::optional<double> exact = Exact(rings, demands).time();
    if (!exact) continue;  // nobody can in one turn
    const std::vector<SipShare> shares = allocate(rings, demands);
    const double ratio = heuristic_time(rings, demands) / *exact;
    const bool turns = std::ranges::any_of(shares, [](const SipShare& share) { return share.turn > 0; });
    // Nobody beats the program in one turn
    if (!turns) {
      EXPECT_GE(ratio, 1 - 1e-9) << "seed " << seed;
    }
    gap.in_turns += turns;
    gap.equal += ratio <= 1 + 1e-9;
    gap.worst = std::max(gap.worst, ratio);
    gap.mean += ratio;
    ++gap.compared;
  }
  gap.mean /= gap.compared;
  return gap;
}

// What docs/sip-ring.md says of it: equal in 19 of 20 small cases and in nine of ten larger ones, 1.2 and 2.4 % slower on average, at worst
// twice as slow.
TEST(SipExact, TheHeuristicIsNearTheIntegerProgram) {
  const Gap few = gap_of({4, 8, 2, 7, 4}), more = gap_of({8, 16, 6, 10, 6});
  for (const auto& [name, gap] : {std::pair{"few", &few}, {"more", &more}})
    RecordProperty(name, std::to_string(gap->compared) + " compared, " + std::to_string(gap->equal) + " equal, " +
                             std::to_string(gap->in_turns) + " in turns, mean " + std::to_string(gap->mean) +
                             ", worst " + std::to_string(gap->worst));
  EXPECT_GE(20 * few.equal, 19 * few.compared);
  EXPECT_GE(10 * more.equal, 9 * more.compared);
  EXPECT_LE(few.mean, 1.0125);
  EXPECT_LE(more.mean, 1.025);
  EXPECT_LE(std::max(few.worst, more.worst), 2);
}

}  // namespace
}  // namespace helio::fabric
