// SPDX-License-Identifier: Apache-2.0
// What routes at once (papers/fred.md 2.3 and 7): phases of strategies on one flat switch and on the wafer's chiplets, worst cases, and
// random groups. Every "no" is the router's proof, every "yes" a setting of all micro-switches.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/random.h"
#include "fabric/fred/fred_placement.h"
#include "fabric/fred/fred_tree_rate.h"
#include "studies/fred/assumption.h"
#include "studies/fred/chapters.h"
#include "studies/fred/strategy_flows.h"

namespace helio::studies::fred_study {
namespace {

using fabric::Flow;

constexpr const char* kSource = "papers/fred.md 2.3";

Assumption published_placement() {
  return taken_literally("NPU mp + MP·(pp + PP·dp) on the port of its number", paper("papers/fred.md 2.3"));
}

bool routes(std::uint32_t ports, std::uint32_t middles, const std::vector<Flow>& flows) {
  return std::holds_alternative<fabric::FredConfiguration>(fabric::route(fabric::FredSwitch(ports, middles), flows));
}

// All strategy-phases of one flat switch.
void add_flat(Rows& rows) {
  struct Line {
    std::uint32_t ports;
    double phases, with_two;  // that route at m = 3, which is all; at m = 2
  };
  constexpr Line kLines[] = {{8, 54, 52}, {10, 78, 72}, {12, 117, 105}, {20, 258, 225}};
  for (const Line& line : kLines)
    for (const std::uint32_t m : {3u, 2u}) {
      const Flexibility found = studies::flexibility(fabric::FredSwitch(line.ports, m));
      rows.push_back(
          derived_row(fmt::format("Fred_{}({}): strategy-phases of {} that route", m, line.ports, found.phases),
                      m == 3 ? line.phases : line.with_two, found.routed, {published_placement()}, kSource));
    }
}

// On the chiplets of the wafer, where the paper's claim is too wide.
void add_chiplets(Rows& rows) {
  const Assumption wiring =
      of_our_own("one chip and one uplink per L1, collective and plane, on the wiring derived from the areas");
  std::map<std::uint32_t, std::vector<placement::StrategyPhase>> blocked;  // by m
  const std::vector<placement::StrategyPhase> phases = placement::strategy_phases(kNpus);
  for (const std::uint32_t m : {3u, 2u}) {
    fabric::FredTreeShape shape;
    shape.middles = m;
    for (const placement::StrategyPhase& phase : phases)
      if (std::holds_alternative<fabric::FredTreeBlocked>(fabric::route_tree(shape, flows_of(phase))))
        blocked[m].push_back(phase);
    const Assumption choices =
        noted(m == 3 ? "every choice of L2 chips is tried"
                     : "every choice of L2 chips is tried; the 227 takes the first with links enough");
    rows.push_back(derived_row(fmt::format("chiplets, m = {}: strategy-phases of {} that route", m, phases.size()),
                               m == 3 ? 254 : 227, static_cast<double>(phases.size() - blocked[m].size()),
                               {published_placement(), wiring, choices}, kSource));
  }
  for (const placement::StrategyPhase& phase : blocked[3]) {
    const fabric::FredTreeRate rate = fabric::best_rate({}, flows_of(phase));
    if (phase.mp == 5 && phase.dp == 4)
      rows.push_back(derived_row(fmt::format("chiplets: share of the rate that {} reaches", phase.name()), 0.8,
                                 rate.rate(), {published_placement(), wiring}, "papers/fred.md 2.3: 4 of 5 planes"));
  }

  // Other nodes for the blocked ones, all phases of their strategy together
  std::size_t routed = phases.size() - blocked[3].size();
  for (const placement::StrategyPhase& phase : blocked[3])
    if (place_strategy(fabric::FredTreeShape{}, phase.mp, phase.dp, phase.pp).outcome ==
        fabric::PlacementOutcome::kFound)
      ++routed;
  rows.push_back(derived_row(
      fmt::format("chiplets, m = 3, searched placement: strategy-phases of {} that route", phases.size()), 258,
      static_cast<double>(routed), {wiring, of_our_own("blocked strategies are placed anew, all their phases at once")},
      "papers/fred.md 7: the planner's alternative"));
}

// Groups that nothing places well: how many of the trials block.
double blocked_share(std::uint32_t members, std::uint32_t middles, int trials) {
  constexpr std::uint32_t kPorts = 12;
  Random random(20'250'600 + members);
  int blocked = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<std::uint32_t> ports(kPorts);
    for (std::uint32_t p = 0; p < kPorts; ++p) ports[p] = p;
    random.shuffle(ports);
    std::vector<Flow> flows;
    for (auto at = ports.begin(); at != ports.end(); at += members)
      flows.push_back(fabric::all_reduce_flow({at, at + members}));
    if (!routes(kPorts, middles, flows)) ++blocked;
  }
  return static_cast<double>(blocked) / trials;
}

}  // namespace

Rows flexibility() {
  Rows rows;
  add_flat(rows);
  add_chiplets(rows);

  // The smallest that block
  const std::vector<Flow> triangle = {fabric::all_reduce_flow({0, 2}), fabric::all_reduce_flow({1, 4}),
                                      fabric::all_reduce_flow({3, 5}), fabric::all_reduce_flow({6, 7})};
  const std::vector<Flow> k4 = {fabric::all_reduce_flow({0, 2, 4}), fabric::all_reduce_flow({1, 6, 8}),
                                fabric::all_reduce_flow({3, 7, 10}), fabric::all_reduce_flow({5, 9, 11})};
  struct Fixture {
    const char* name;
    const std::vector<Flow>& flows;
    std::uint32_t ports, middles;
    bool routes;
  };
  for (const Fixture& f : {Fixture{"triangle of pairs", triangle, 8, 2, false},
                           {"triangle of pairs", triangle, 8, 3, true},
                           {"K4 of triples", k4, 12, 3, false},
                           {"K4 of triples", k4, 12, 4, true}})
    rows.push_back(derived_row(fmt::format("{} on Fred_{}({}): routes", f.name, f.middles, f.ports), f.routes,
                               routes(f.ports, f.middles, f.flows),
                               {of_our_own("flows that we made up to block"), noted("1: yes, 0: no, proven")},
                               kSource));

  // Permutations: two middle switches are enough for unicasts
  constexpr int kPermutations = 200;
  Random random(17);
  double routed = 0;
  for (int trial = 0; trial < kPermutations; ++trial) {
    std::vector<std::uint32_t> to(kNpus);
    for (std::uint32_t p = 0; p < kNpus; ++p) to[p] = p;
    random.shuffle(to);
    std::vector<Flow> flows;
    for (std::uint32_t p = 0; p < kNpus; ++p) flows.push_back({{p}, {to[p]}});
    if (routes(kNpus, 2, flows)) ++routed;
  }
  rows.push_back(published_row(
      fmt::format("random permutations of {} on Fred_2(20) that route", kPermutations), kPermutations, routed,
      {taken_literally("the switch as its construction is described", paper("papers/fred.md 2.1")),
       noted("permutations are drawn, seed 17")},
      paper("m = 2 is rearrangeably non-blocking for unicasts (papers/fred.md 2.3)")));

  // Groups in random places
  struct Line {
    std::uint32_t members;
    double share[3];  // m = 2, 3, 4
  };
  constexpr Line kLines[] = {{2, {0.81, 0, 0}}, {3, {0.53, 0.12, 0}}, {4, {0.69, 0, 0}}};
  constexpr int kTrials = 2000;
  for (const Line& line : kLines)
    for (std::uint32_t m = 2; m <= 4; ++m)
      rows.push_back(derived_row(fmt::format("random groups of {} on Fred_{}(12): share that blocks", line.members, m),
                                 line.share[m - 2], blocked_share(line.members, m, kTrials),
                                 {of_our_own(fmt::format("{} seeded trials of ours against 400 others", kTrials))},
                                 kSource));
  return rows;
}

}  // namespace helio::studies::fred_study
