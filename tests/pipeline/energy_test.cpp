// SPDX-License-Identifier: Apache-2.0
#include "pipeline/energy.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "fabric/example.h"
#include "fabric/fabric.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"

namespace helio::pipeline {
namespace {

// An all-reduce of 1 MB on a fabric as its own example has it, by the first algorithm that it takes.
Result any_all_reduce(const std::string& fabric) {
  for (const auto& algorithm : schedule::algorithms().entries()) {
    Texts settings{{"name", fabric}};
    for (const auto& [name, setting] : fabric::example_settings(fabric::fabrics().at(fabric).description))
      settings[name] = setting.text;
    try {
      return answer(settings, {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", algorithm.description.name}});
    } catch (const Error&) {
    }
  }
  ADD_FAILURE() << fabric << " takes no algorithm";
  return {};
}

TEST(Energy, IsKnownOnEveryFabric) {
  for (const auto& entry : fabric::fabrics().entries()) {
    const std::string& name = entry.description.name;
    const NetworkEnergy energy = any_all_reduce(name).energy;
    EXPECT_GT(energy.moving.value, 0) << name;
    EXPECT_GT(energy.being_on.value, 0) << name;
    EXPECT_GT(energy.low.value, 0) << name;
    EXPECT_LE(energy.low.value, energy.total().value) << name;
    EXPECT_GE(energy.high.value, energy.total().value) << name;
  }
}

// Four nodes, 8 MB by a ring: 6 rounds of 2 MB at 1 GB/s are 12 ms, 48 MB over links. With SerDes of 2 pJ/bit and end, half of it idle,
// cables that take nothing: moving 2 · 2e-12 · 8 · 48e6 = 1.536 mJ; what could have passed 8 ends of 16 Gb/s in 12 ms is 1.536 Gb, and
// 2 · 8 · 48e6 = 0.768 Gb did: being on 0.5 · 2e-12 · 0.768e9 = 0.768 mJ.
TEST(Energy, OfARingByHand) {
  Experiment experiment = asking({{"name", "ring"}, {"nodes", "4"}, {"rate", "8 Gb/s"}, {"latency", "0 s"}},
                                 {{"kind", "all-reduce"}, {"bytes", "8 MB"}, {"algorithm", "ring"}});
  experiment.parts =
      settings_of({{"serdes.pj_per_bit", "2"}, {"serdes.idle", "0.5"}, {"copper-cable.watts", "0"}}, "part.");
  const Result result = run(experiment, RunOptions{}).front();
  EXPECT_NEAR(result.time_s, 12e-3, 1e-12);
  EXPECT_NEAR(result.energy.moving.value, 1.536e-3, 1e-12);
  EXPECT_NEAR(result.energy.being_on.value, 0.768e-3, 1e-12);
  EXPECT_NEAR(result.energy.low.value, 2.304e-3, 1e-12);
  EXPECT_NEAR(result.energy.high.value, 2.304e-3, 1e-12);
}

// As before there were parts: 0.063 pJ for each bit on each link, and 179.35 W.
TEST(Energy, OfFredIsItsParameters) {
  const Result result =
      answer({{"name", "fred"}}, {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "in-fabric"}});
  EXPECT_NEAR(result.energy.moving.value, 0.063e-12 * 8 * result.traffic.value, 1e-9);
  EXPECT_NEAR(result.energy.being_on.value, 179.35 * result.time_s, 1e-9);
  EXPECT_EQ(result.energy.low, result.energy.high);
}

// Light is paid for where it sets out: a broadcast over one hop and over seven takes the same for moving.
TEST(Energy, OfLightDoesNotGrowWithItsWay) {
  const auto moving = [](const char* to) {
    return answer({{"name", "wdm-ring"}, {"nodes", "16"}},
                  {{"kind", "broadcast"}, {"bytes", "1 MB"}, {"algorithm", "direct"}, {"groups", to}})
        .energy.moving.value;
  };
  EXPECT_GT(moving("0,1"), 0);
  EXPECT_NEAR(moving("0,7"), moving("0,1"), 1e-12 * moving("0,1"));
}

// Of a composite both levels pay, each by what crosses it. 2 switches of 2 nodes under a ring of 2; an all-gather of the two first nodes
// crosses the ring alone.
TEST(Energy, OfACompositeIsThatOfItsLevels) {
  const std::string levels = "switch:nodes=2,rate=8 Gb/s,latency=0 s/ring:nodes=2,rate=8 Gb/s,latency=0 s";
  Experiment experiment = asking({{"name", "composite"}, {"levels", levels}},
                                 {{"kind", "all-gather"}, {"bytes", "2 MB"}, {"algorithm", "ring"}, {"groups", "0,2"}});
  const auto moving = [&](const char* part) {
    experiment.parts = {};
    for (const char* other : {"serdes", "switch-chip", "copper-cable"})
      experiment.parts[std::string(other) + ".pj_per_bit"] = {other == std::string(part) ? "1" : "0", "test"};
    return run(experiment, RunOptions{}).front().energy.moving.value;
  };
  EXPECT_NEAR(moving("serdes"), 2 * 1e-12 * 8 * 2e6, 1e-15);  // 1 MB each way, two ends
  EXPECT_EQ(moving("switch-chip"), 0);
}

TEST(Energy, OfOneRankIsNothing) {
  const Result result =
      answer({{"name", "ring"}, {"nodes", "1"}}, {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "ring"}});
  EXPECT_EQ(result.energy.total().value, 0);
}

}  // namespace
}  // namespace helio::pipeline
