// SPDX-License-Identifier: Apache-2.0
// Real numbers through configured switches: what the router says is what comes out, and what it refuses no setting does.
#include "fabric/fred/fred_simulation.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "fabric/fred/fred_flows.h"

namespace helio::fabric {
namespace {

const FredConfiguration* configuration_of(const FredRouting& routing) {
  return std::get_if<FredConfiguration>(&routing);
}

// Adds of a flow are one fewer than its inputs, copies one fewer than its outputs: a tree in, a tree out.
FredActivity trees(const std::vector<Flow>& flows, std::uint64_t crossed) {
  FredActivity activity{.crossed = crossed};
  for (const Flow& flow : flows) activity.adders += flow.inputs.size() - 1, activity.copiers += flow.outputs.size() - 1;
  return activity;
}

// Fred_2(4) by hand, all four ports in one all-reduce through middle switch 0: both Rs add, the RD adds and copies, both Ds copy.
//
//   1 ─┤R├─ 1+2 ─┤  ├─ 10 ─┤D├─ 10        numbers of micro-switches: R 0 1, RD 2 3, D 4 5
//   2 ─┤ ├       │RD│      │ ├─ 10
//   3 ─┤R├─ 3+4 ─┤ 0├─ 10 ─┤D├─ 10
//   4 ─┤ ├                 │ ├─ 10
TEST(FredSimulation, FourPortsByHand) {
  const FredSwitch fred(4, 2);
  std::vector<MicroSetting> settings(6);
  settings[0] = settings[1] = settings[4] = settings[5] = {{0, 0}};
  settings[2] = {{3, 3}};
  const std::vector<PortVector> in = {{1, 0.5}, {2, 0.25}, {3, 0.125}, {4, -1}};
  const FredPassage passage = simulate(fred, settings, in);
  EXPECT_EQ(outputs(fred, passage), std::vector<PortVector>(4, {10, -0.125}));
  EXPECT_EQ(passage.activity, (FredActivity{.adders = 3, .copiers = 3, .crossed = 5}));
  EXPECT_EQ(check_collective(fred, settings, std::vector<Flow>{all_reduce_flow({0, 1, 2, 3})}).failure, "");

  // One wrong element: the upper D copies from the idle middle switch; only half of the RD's copies leave
  settings[4] = {{1, 0}};
  EXPECT_EQ(check_collective(fred, settings, std::vector<Flow>{all_reduce_flow({0, 1, 2, 3})}).failure,
            "output port 0 got nothing, and should have got 1 of port 0, 1 of port 1, 1 of port 2, 1 of port 3");
  settings[4] = {{2, 0}};
  EXPECT_THROW(simulate(fred, settings, in), std::logic_error);
}

// The drawing of docs/fred.md: Fred_3(8) with {0,2}, {1,4}, {3,5} and {6,7}.
TEST(FredSimulation, TheDrawingOfTheDocs) {
  const FredSwitch fred(8, 3);
  const std::vector<Flow> flows = {all_reduce_flow({0, 2}), all_reduce_flow({1, 4}), all_reduce_flow({3, 5}),
                                   all_reduce_flow({6, 7})};
  const FredRouting routing = route(fred, flows);
  ASSERT_NE(configuration_of(routing), nullptr);
  const auto& [settings, colours, tried] = *configuration_of(routing);
  std::vector<std::uint32_t> first;
  for (const auto& path : colours) first.push_back(path[0]);
  EXPECT_EQ(first, (std::vector<std::uint32_t>{0, 1, 2, 0}));
  EXPECT_EQ(check_collective(fred, settings, flows).failure, "");

  // On the wires: inputs and outputs belong to their flows, and everything in between to somebody or nobody
  const std::vector<std::uint32_t> on = flows_on_wires(fred, settings, flows);
  const std::uint32_t owner[] = {0, 1, 0, 2, 1, 2, 3, 3};
  for (std::uint32_t p = 0; p < 8; ++p) {
    EXPECT_EQ(on[fred.input_wire(p)], owner[p]);
    EXPECT_EQ(on[fred.output_wire(p)], owner[p]);
  }
}

// Every way to set every micro-switch of Fred_2(2), Fred_2(3), Fred_2(4): the collectives that any setting performs are those
// that the router routes. 16, 186,624 and 1,679,616 settings; inputs as bits, so that a sum is a union.
TEST(FredSimulation, WhatTheRouterRefusesNoSettingDoes) {
  for (std::uint32_t ports = 2; ports <= 4; ++ports) {
    const FredSwitch fred(ports, 2);
    const auto elements = fred.micro_switches();
    std::set<std::vector<std::uint32_t>> reachable;
    std::vector<std::uint32_t> wires(fred.wires(), 0);
    for (std::uint32_t p = 0; p < ports; ++p) wires[fred.input_wire(p)] = 1u << p;
    const std::function<void(std::size_t)> set_from = [&](std::size_t e) {
      if (e == elements.size()) {
        reachable.emplace(wires.begin() + fred.output_wire(0), wires.begin() + fred.output_wire(0) + ports);
        return;
      }
      const auto& [kind, column, level, stage, index, in, out] = elements[e];
      const bool entry = kind == MicroKind::kReduce || kind == MicroKind::kDemux;
      const bool middle = kind == MicroKind::kReduceDistribute;
      const std::size_t lanes = entry ? in.size() : out.size();
      const std::uint32_t choices = middle ? 4 : 3;
      for (std::uint32_t a = 0; a < choices; ++a)
        for (std::uint32_t b = 0; b < (lanes == 2 ? choices : 1); ++b) {
          for (const Wire wire : out) wires[wire] = 0;
          const std::uint32_t lane[] = {a, b};
          for (std::size_t i = 0; i < lanes; ++i) {
            if (middle)
              wires[out[i]] = (lane[i] & 1 ? wires[in[0]] : 0) | (lane[i] & 2 ? wires[in[1]] : 0);
            else if (entry && lane[i] > 0)
              wires[out[lane[i] - 1]] |= wires[in[i]];
            else if (lane[i] > 0)
              wires[out[i]] = wires[in[lane[i] - 1]];
          }
          set_from(e + 1);
        }
    };
    set_from(0);

    int refused = 0;
    for_each_flow_set(ports, [&](const std::vector<Flow>& flows) {
      std::vector<std::uint32_t> wanted(ports, 0);
      for (const Flow& flow : flows)
        for (const std::uint32_t to : flow.outputs)
          for (const std::uint32_t from : flow.inputs) wanted[to] |= 1u << from;
      const bool routed = configuration_of(route(fred, flows)) != nullptr;
      ASSERT_EQ(routed, reachable.contains(wanted));
      refused += !routed;
    });
    EXPECT_EQ(refused > 0, ports == 4);  // three flows that share elements pairwise need four ports
  }
}

// Every set of flows on up to 5 ports: unit vectors give the matrix of the collective, and adders and copiers are trees.
TEST(FredSimulation, EverySmallRoutingComputes) {
  for (const std::uint32_t m : {2u, 3u})
    for (std::uint32_t ports = 2; ports <= 5; ++ports) {
      const FredSwitch fred(ports, m);
      for_each_flow_set(ports, [&](const std::vector<Flow>& flows) {
        const FredRouting routing = route(fred, flows);
        const auto* configuration = configuration_of(routing);
        if (!configuration) return;
        const FredCheck check = check_collective(fred, configuration->settings, flows);
        ASSERT_EQ(check.failure, "");
        ASSERT_EQ(check.activity, trees(flows, check.activity.crossed));
      });
    }
}

// Random flows on switches of any size, with vectors of whole numbers (sums are exact in any order) and silent ports.
TEST(FredSimulation, RandomRoutingsCompute) {
  Random random(11);
  int routed = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const auto ports = static_cast<std::uint32_t>(2 + random.below(70)),
               m = static_cast<std::uint32_t>(2 + random.below(4));
    const auto most = static_cast<std::uint32_t>(1 + random.below(6));
    const std::vector<Flow> flows =
        trial % 2 ? random_flows(ports, most, random) : random_all_reduces(ports, most, random);
    const FredSwitch fred(ports, m);
    const FredRouting routing = route(fred, flows);
    const auto* configuration = configuration_of(routing);
    if (!configuration) continue;
    ++routed;
    ASSERT_EQ(check_collective(fred, configuration->settings, flows).failure, "");

    std::vector<PortVector> in(ports);
    for (PortVector& vector : in)
      for (int i = 0; i < 3; ++i) vector.push_back(static_cast<double>(random.below(1u << 30)) - (1 << 29));
    in[random.below(ports)].clear();
    ASSERT_EQ(outputs(fred, simulate(fred, configuration->settings, in)), expected_outputs(ports, flows, in));
  }
  EXPECT_GT(routed, 700);
}

// A check that cannot fail shows nothing: any one element that carries something, turned off, is noticed.
TEST(FredSimulation, EveryElementInUseMatters) {
  const FredSwitch fred(11, 3);
  const std::vector<Flow> flows = {all_reduce_flow({0, 3, 6}), {{1, 10}, {2}}, {{4}, {5, 9, 10}}};
  const FredRouting routing = route(fred, flows);
  ASSERT_NE(configuration_of(routing), nullptr);
  const std::vector<MicroSetting> right = configuration_of(routing)->settings;
  int used = 0;
  for (std::size_t e = 0; e < right.size(); ++e)
    for (std::size_t i = 0; i < 2; ++i) {
      if (right[e].lane[i] == MicroSetting::kIdle) continue;
      std::vector<MicroSetting> wrong = right;
      wrong[e].lane[i] = MicroSetting::kIdle;
      EXPECT_FALSE(check_collective(fred, wrong, flows).verified) << "micro-switch " << e;
      ++used;
    }
  EXPECT_GT(used, 20);
}

}  // namespace
}  // namespace helio::fabric
