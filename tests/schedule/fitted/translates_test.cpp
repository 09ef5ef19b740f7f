// SPDX-License-Identifier: Apache-2.0
#include "schedule/fitted/translates.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schedule/fitted/networks.h"
#include "schedule/fitted/tightest_cut.h"

namespace helio::schedule {
namespace {

TEST(Translates, SumsAreTakenByCoordinate) {
  // 3x4: 5 is (2, 1), 11 is (2, 3); together (1, 0), and 5 moved back by 11 is (0, 2)
  const std::vector<long long> sides{3, 4};
  const Torus torus(sides);
  EXPECT_EQ(torus.sum(5, 11), 1u);
  EXPECT_EQ(torus.difference(5, 11), 6u);
}

TEST(Translates, LinksOfEveryNodeAreLookedAt) {
  const std::vector<long long> sides{3, 4};
  const Torus torus(sides);
  const Network network = torus_network(sides);
  // One to the right and one to the left, 1 and 2; one up and one down, 3 and 9
  EXPECT_EQ(directions_of(network, torus), (std::vector<std::uint32_t>{1, 2, 3, 9}));

  Network slower = network;
  slower.arcs[7].rate = BitRate{200e9};
  EXPECT_TRUE(directions_of(slower, torus).empty());
  Network later = network;
  later.arcs[7].latency = Time::microseconds(1);
  EXPECT_TRUE(directions_of(later, torus).empty());
  Network broken = network;
  broken.arcs.pop_back();
  EXPECT_TRUE(directions_of(broken, torus).empty());
  Network bent = network;
  bent.arcs[7].to = torus.sum(bent.arcs[7].to, 1);
  EXPECT_TRUE(directions_of(bent, torus).empty());
  Network doubled = network;
  for (std::uint32_t v = 0; v < network.nodes; ++v) doubled.arcs.push_back(network.arcs[v]);
  EXPECT_TRUE(directions_of(doubled, torus).empty());
  const std::vector<long long> turned{4, 3};
  EXPECT_TRUE(directions_of(network, Torus(turned)).empty());
}

const std::vector<std::vector<long long>> kTori = {{5},    {12},      {3, 3},    {4, 4},    {2, 7},       {5, 7},
                                                   {8, 3}, {3, 4, 5}, {4, 2, 3}, {2, 2, 2}, {3, 1, 2, 5}, {4, 50}};

TEST(Translates, EveryPieceComesOnceFromSomebodyWhoHasIt) {
  for (const std::vector<long long>& sides : kTori)
    for (const std::uint32_t pieces : {1u, 3u})
      for (const Rounds rounds : {Rounds::kFewest, Rounds::kThrifty}) {
        const Torus torus(sides);
        const std::vector<std::uint32_t> directions = directions_of(torus_network(sides), torus);
        const TranslatedTrees trees = translated_trees(torus, directions, pieces, rounds);
        std::set<std::pair<std::uint32_t, std::uint32_t>> there;
        for (std::uint32_t piece = 0; piece < pieces; ++piece) there.insert({piece, 0});
        std::uint64_t busiest = 0;
        for (const std::vector<TranslatedTrees::Step>& round : trees.rounds) {
          const auto before = there;
          std::map<std::uint32_t, std::uint64_t> of_direction;
          for (const TranslatedTrees::Step& step : round) {
            EXPECT_TRUE(before.contains({step.piece, torus.difference(step.node, directions[step.direction])}));
            EXPECT_TRUE(there.insert({step.piece, step.node}).second);
            ++of_direction[step.direction];
          }
          std::uint64_t most = 0;
          for (const auto& [direction, count] : of_direction) most = std::max(most, count);
          busiest += most;
        }
        EXPECT_EQ(there.size(), pieces * torus.nodes());
        EXPECT_EQ(busiest, trees.busiest);
      }
}

// As many rounds as it is far, at least: half of each side together.
TEST(Translates, FewestRoundsAreAsManyAsItIsFar) {
  for (const std::vector<long long>& sides : kTori) {
    std::size_t far = 0;
    for (const long long side : sides) far += static_cast<std::size_t>(side / 2);
    const Torus torus(sides);
    EXPECT_EQ(translated_trees(torus, directions_of(torus_network(sides), torus), 1, Rounds::kFewest).rounds.size(),
              far);
  }
}

// All but one node want n-1 parts of something over 2D links: in whole pieces (n-1)/2D of them, rounded up, and here no more. 3x4x5 has
// 6 links a node: 59/6, and 59 with six pieces. 4x50 is long: the short side has hardly anything to do at first.
TEST(Translates, DirectionsCarryAlike) {
  const auto busiest = [](const std::vector<long long>& sides, std::uint32_t pieces) {
    const Torus torus(sides);
    return translated_trees(torus, directions_of(torus_network(sides), torus), pieces, Rounds::kThrifty).busiest;
  };
  EXPECT_EQ(busiest({12}, 2), 11u);
  EXPECT_EQ(busiest({3, 4, 5}, 1), 10u);
  EXPECT_EQ(busiest({3, 4, 5}, 6), 59u);
  EXPECT_EQ(busiest({32, 32}, 1), 256u);  // 1023/4
  EXPECT_EQ(busiest({31, 33}, 1), 256u);  // 1022/4
  EXPECT_LE(busiest({4, 50}, 1), 51u);    // 199/4 = 49.75, and one for the beginning
}

// What by_translates says without a flow.
TEST(Translates, TheTightestCutIsAroundANode) {
  for (const std::vector<long long>& sides : kTori) {
    const Network network = torus_network(sides);
    std::vector<std::uint32_t> all(network.nodes);
    for (std::uint32_t v = 0; v < network.nodes; ++v) all[v] = v;
    const double degree = static_cast<double>(network.arcs.size()) / network.nodes;
    const double around = degree * 400e9 / (network.nodes - 1);
    EXPECT_NEAR(tightest_cut(network, all, all).per_source().value, around, 1e-9 * around);
  }
}

}  // namespace
}  // namespace helio::schedule
