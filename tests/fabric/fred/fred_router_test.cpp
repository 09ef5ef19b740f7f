// SPDX-License-Identifier: Apache-2.0
// The router against hand-made cases, against a router that tries everything, and against its own proofs.
#include "fabric/fred/fred_router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "fabric/fred/fred_flows.h"

namespace helio::fabric {
namespace {

bool routes(const FredSwitch& fred, const std::vector<Flow>& flows) {
  return std::holds_alternative<FredConfiguration>(route(fred, flows));
}

std::vector<Flow> all_reduces(const std::vector<std::vector<std::uint32_t>>& groups) {
  std::vector<Flow> flows;
  for (const auto& group : groups) flows.push_back(all_reduce_flow(group));
  return flows;
}

// Rules 1 to 4 of papers/fred.md, 2.3, word for word: every assignment of middle switches, each tried to the bottom.
bool routes_by_trying(std::uint32_t ports, std::uint32_t middles, const std::vector<Flow>& flows) {
  if (ports == 2 || flows.empty()) return true;
  std::vector<std::uint32_t> colour(flows.size(), 0);
  for (;;) {
    std::vector<std::vector<Flow>> inner(middles);
    std::set<std::array<std::uint32_t, 3>> taken;  // side, middle switch, edge element: one flow each
    bool apart = true;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      std::set<std::uint32_t> in, out;
      for (const std::uint32_t port : flows[f].inputs) in.insert(port / 2);
      for (const std::uint32_t port : flows[f].outputs) out.insert(port / 2);
      for (const std::uint32_t i : in) apart &= taken.insert({0, colour[f], i}).second;
      for (const std::uint32_t i : out) apart &= taken.insert({1, colour[f], i}).second;
      inner[colour[f]].push_back({{in.begin(), in.end()}, {out.begin(), out.end()}});
    }
    if (apart &&
        std::ranges::all_of(inner, [&](const auto& part) { return routes_by_trying((ports + 1) / 2, middles, part); }))
      return true;
    std::size_t i = 0;
    while (i < colour.size() && ++colour[i] == middles) colour[i++] = 0;
    if (i == colour.size()) return false;
  }
}

// Follows a proof: in each obstacle every assignment of colours breaks an edge or puts a used set into one middle switch.
bool proves(const std::vector<Obstacle>& proof, const std::vector<Flow>& flows, std::uint32_t middles) {
  for (std::size_t o = 0; o < proof.size(); ++o) {
    const Obstacle& obstacle = proof[o];
    std::map<std::uint32_t, std::uint32_t> colour;
    for (const std::uint32_t f : obstacle.flows) colour[f] = 0;
    for (bool more = true; more;) {
      bool broken = false;
      for (const auto& [a, x] : colour)
        for (const auto& [b, y] : colour)
          broken |= a < b && x == y && share_element(flows[a], flows[b], obstacle.level);
      for (const std::uint32_t used : obstacle.uses) {
        if (used >= o || proof[used].level != obstacle.level + 1) return false;
        const auto& set = proof[used].flows;
        broken |= std::ranges::all_of(
            set, [&](std::uint32_t f) { return colour.contains(f) && colour[f] == colour[set.front()]; });
      }
      if (!broken) return false;
      more = false;
      for (auto& [f, c] : colour) {
        if (++c < middles) {
          more = true;
          break;
        }
        c = 0;
      }
    }
  }
  return !proof.empty() && proof.back().level == 0;
}

// The fixtures of papers/fred.md, 2.3.
TEST(FredRouter, TwoAllReducesOfThree) { EXPECT_TRUE(routes(FredSwitch(8, 2), all_reduces({{0, 1, 2}, {3, 4, 5}}))); }

TEST(FredRouter, ATriangleNeedsThreeMiddleSwitchesOrAnotherPlace) {
  const std::vector<Flow> triangle = all_reduces({{0, 2}, {1, 4}, {3, 5}, {6, 7}});
  const FredRouting two = route(FredSwitch(8, 2), triangle);
  ASSERT_TRUE(std::holds_alternative<FredBlocked>(two));
  const auto& blocked = std::get<FredBlocked>(two);
  EXPECT_TRUE(blocked.proven);
  EXPECT_EQ(blocked.flows, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(blocked.proof.back().kind, ObstacleKind::kClique);
  EXPECT_EQ(blocked.reason,
            "flows 0, 1, 2 cannot be in Fred_2(8) together: every two of these 3 share an edge element (0 and 1 share "
            "R 0, 0 and 2 "
            "share R 1, 1 and 2 share R 2), and there are only 2 middle switches");
  EXPECT_TRUE(routes(FredSwitch(8, 3), triangle));
  EXPECT_EQ(fewest_middles(8, triangle), 3u);
  EXPECT_TRUE(
      routes(FredSwitch(8, 2), all_reduces({{0, 1}, {2, 4}, {3, 5}, {6, 7}})));  // workers of ports 1 and 2 swapped
}

TEST(FredRouter, FourTriplesBlockTwelvePorts) {
  const std::vector<Flow> k4 = all_reduces({{0, 2, 4}, {1, 6, 8}, {3, 7, 10}, {5, 9, 11}});
  const FredRouting three = route(FredSwitch(12, 3), k4);
  ASSERT_TRUE(std::holds_alternative<FredBlocked>(three));
  EXPECT_EQ(std::get<FredBlocked>(three).proof.back().kind, ObstacleKind::kClique);
  EXPECT_EQ(std::get<FredBlocked>(three).flows.size(), 4u);
  EXPECT_TRUE(routes(FredSwitch(12, 4), k4));
  EXPECT_EQ(fewest_middles(12, k4), 4u);
}

// m+1 groups of m, a port of each pair of groups on one edge element: K_{m+1} on m(m+1) ports, and m+1 middle switches are needed.
TEST(FredRouter, CliquesNeedOneMoreThanTheirGroupsAreLarge) {
  for (std::uint32_t m = 2; m <= 6; ++m) {
    std::vector<std::vector<std::uint32_t>> groups(m + 1);
    std::uint32_t port = 0;
    for (std::uint32_t a = 0; a <= m; ++a)
      for (std::uint32_t b = a + 1; b <= m; ++b) groups[a].push_back(port++), groups[b].push_back(port++);
    EXPECT_EQ(port, m * (m + 1));
    EXPECT_EQ(fewest_middles(port, all_reduces(groups)), m + 1);
  }
}

// Five pairs around a pentagon: no triangle, and yet two colours do not do.
TEST(FredRouter, OddCyclesAreNamed) {
  const FredRouting routing = route(FredSwitch(10, 2), all_reduces({{0, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 1}}));
  ASSERT_TRUE(std::holds_alternative<FredBlocked>(routing));
  EXPECT_EQ(std::get<FredBlocked>(routing).proof.back().kind, ObstacleKind::kOddCycle);
}

// DP of 6-2-1, six pairs {i, i+6}: colours exist at the first level, but each leaves three pairs that form a triangle in a Fred_2(6).
TEST(FredRouter, ObstaclesOneLevelDownAreFoundAndProven) {
  const std::vector<Flow> pairs = all_reduces({{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}});
  const FredRouting routing = route(FredSwitch(12, 2), pairs);
  ASSERT_TRUE(std::holds_alternative<FredBlocked>(routing));
  const auto& proof = std::get<FredBlocked>(routing).proof;
  EXPECT_GT(proof.size(), 1u);
  EXPECT_EQ(proof.back().kind, ObstacleKind::kExhausted);
  EXPECT_EQ(proof.front().level, 1u);
  EXPECT_TRUE(proves(proof, pairs, 2));
  EXPECT_FALSE(routes_by_trying(12, 2, pairs));
}

// All groupings of up to 8 ports, singletons (loop-backs) included: 4,140 on 8 ports. And all flows of 4 and 5 ports.
TEST(FredRouter, AgreesWithTryingEverything) {
  int blocked = 0;
  const auto compare = [&](std::uint32_t ports, std::uint32_t middles) {
    return [&, ports, middles, fred = FredSwitch(ports, middles)](const std::vector<Flow>& flows) {
      const bool possible = routes_by_trying(ports, middles, flows);
      ASSERT_EQ(routes(fred, flows), possible);
      blocked += !possible;
    };
  };
  for (std::uint32_t ports = 2; ports <= 8; ++ports) for_each_partition(ports, 0, compare(ports, 2));
  for_each_partition(12, 3, compare(12, 2));
  for_each_flow_set(4, compare(4, 2));
  for_each_flow_set(4, compare(4, 3));
  EXPECT_GT(blocked, 1000);
}

// Twelve ports in groups of equal size, every placement, against the samples of papers/fred.md (400 trials: σ ≤ 0.025).
//   pairs, m = 2    10,395 placements. At the first level they are cycles through the six edge elements, and only odd ones of three
//                   or more block: 6!·[x⁶] exp(x + x² + 2x⁴ + 16x⁶/3) = 6,331 have none; of those 4,288 fail deeper. (.81)
//   quads, m = 2    5,775 placements. Three flows block only as a triangle. Elements shared by the three pairs: (1,1,1) 960 ways,
//                   (3,1,1) 1,920, (2,2,2) 960. (.69)
//   triples, m = 3  15,400 placements. Four flows block only as K4, one of six elements for each pair: 6!·2⁶/4! = 1,920. (.12)
TEST(FredRouter, BlockedPlacementsOfTwelvePorts) {
  const auto blocked = [](std::uint32_t size, std::uint32_t middles, int& first_level) {
    const FredSwitch fred(12, middles);
    int count = 0;
    for_each_partition(12, size, [&](const std::vector<Flow>& flows) {
      const FredRouting routing = route(fred, flows);
      const auto* no = std::get_if<FredBlocked>(&routing);
      if (!no) return;
      EXPECT_TRUE(no->proven);
      ++count;
      first_level += no->proof.size() == 1;
    });
    return count;
  };
  int pairs = 0, quads = 0, triples = 0, triples_two = 0, none = 0;
  EXPECT_EQ(blocked(2, 2, pairs), 8352);  // .803
  EXPECT_EQ(pairs, 10395 - 6331);
  EXPECT_EQ(blocked(4, 2, quads), 960 + 1920 + 960);  // .665
  EXPECT_EQ(blocked(3, 3, triples), 1920);            // .125
  EXPECT_EQ(blocked(3, 2, triples_two), 8192);        // .532; the oracle above agrees case by case
  EXPECT_EQ(blocked(2, 3, none) + blocked(4, 3, none) + blocked(2, 4, none) + blocked(3, 4, none) + blocked(4, 4, none),
            0);
}

// A graph that needs four colours has six edges or more (K4), hence six edge elements: below 12 ports m = 3 carries all groups.
TEST(FredRouter, ThreeMiddleSwitchesCarryAllGroupsBelowTwelvePorts) {
  for (std::uint32_t ports = 2; ports <= 9; ++ports)
    for_each_partition(
        ports, 0, [fred = FredSwitch(ports, 3)](const std::vector<Flow>& flows) { ASSERT_TRUE(routes(fred, flows)); });
}

// Unicasts only: m = 2 is rearrangeably non-blocking (Beneš). All permutations up to 7 ports, random ones of any size.
TEST(FredRouter, PermutationsAlwaysRouteWithTwo) {
  for (std::uint32_t ports = 2; ports <= 7; ++ports) {
    const FredSwitch fred(ports, 2);
    std::vector<std::uint32_t> to(ports);
    std::iota(to.begin(), to.end(), 0u);
    do {
      std::vector<Flow> flows;
      for (std::uint32_t p = 0; p < ports; ++p) flows.push_back({{p}, {to[p]}});
      ASSERT_TRUE(routes(fred, flows));
    } while (std::ranges::next_permutation(to).found);
  }
  Random random(20);
  for (int trial = 0; trial < 300; ++trial) {
    const auto ports = static_cast<std::uint32_t>(2 + random.below(130));
    std::vector<std::uint32_t> to(ports);
    std::iota(to.begin(), to.end(), 0u);
    random.shuffle(to);
    std::vector<Flow> flows;
    for (std::uint32_t p = 0; p < ports; ++p) flows.push_back({{p}, {to[p]}});
    ASSERT_TRUE(routes(FredSwitch(ports, 2), flows)) << ports;
  }
}

// A flow of n ports shares elements with at most n others, at every level: n+1 middle switches always do. More never hurt, a
// flow less never hurts, and every refusal proves itself.
TEST(FredRouter, RandomGroups) {
  Random random(3);
  int proofs = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const auto ports = static_cast<std::uint32_t>(6 + random.below(30)),
               most = static_cast<std::uint32_t>(2 + random.below(4));
    std::vector<Flow> flows = random_all_reduces(ports, most, random);
    if (flows.empty()) continue;
    std::size_t largest = 2;
    for (const Flow& flow : flows) largest = std::max(largest, flow.inputs.size());
    const std::uint32_t fewest = fewest_middles(ports, flows);
    ASSERT_LE(fewest, largest + 1);
    ASSERT_TRUE(routes(FredSwitch(ports, fewest + 1), flows));
    if (fewest == 2) continue;
    const FredRouting no = route(FredSwitch(ports, fewest - 1), flows);
    const auto& proof = std::get<FredBlocked>(no).proof;
    if (proof.back().flows.size() <= 10) {  // 3^10 assignments are quickly tried
      ASSERT_TRUE(proves(proof, flows, fewest - 1));
      ++proofs;
    }
    flows.pop_back();
    ASSERT_LE(fewest_middles(ports, flows), fewest);
  }
  EXPECT_GT(proofs, 300);  // of 1,500: the property is not empty
}

TEST(FredRouter, NothingToRouteIsRouted) { EXPECT_TRUE(routes(FredSwitch(5, 2), {})); }

TEST(FredRouter, TheWorkLimitIsNoProof) {
  const FredRouting routing = route(FredSwitch(8, 2), all_reduces({{0, 2}, {1, 4}, {3, 5}, {6, 7}}), {.work_limit = 1});
  ASSERT_TRUE(std::holds_alternative<FredBlocked>(routing));
  EXPECT_FALSE(std::get<FredBlocked>(routing).proven);
  EXPECT_TRUE(std::get<FredBlocked>(routing).proof.empty());
}

TEST(FredRouter, WrongFlowsAreErrors) {
  const FredSwitch fred(8, 3);
  const auto message = [&](std::vector<Flow> flows) -> std::string {
    try {
      route(fred, flows);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      EXPECT_FALSE(error.advice().empty());
      return error.message();
    }
    return "";
  };
  EXPECT_EQ(message(all_reduces({{0, 1}, {1, 2}})), "flows 0 and 1 both name input port 1");
  EXPECT_EQ(message({{{0}, {1}}, {{2}, {1}}}), "flows 0 and 1 both name output port 1");
  EXPECT_EQ(message(all_reduces({{0, 3, 3}})), "flow 0 names input port 3 twice");
  EXPECT_EQ(message(all_reduces({{0, 1}, {7, 8}})), "flow 1 names input port 8, and the switch has 8 ports");
  EXPECT_EQ(message({{{0}, {}}}), "flow 0 has no output port");
  EXPECT_EQ(message({{{}, {0}}}), "flow 0 has no input port");
}

}  // namespace
}  // namespace helio::fabric
