// SPDX-License-Identifier: Apache-2.0
// What levels of a composite carry, counted by class and held against the counts of the whole.
#include "pipeline/level_meter.h"

#include <gtest/gtest.h>

#include <numeric>

#include "pipeline/draft.h"
#include "pipeline/iteration.h"
#include "pipeline/run.h"

namespace helio::pipeline {
namespace {

Settings said(std::initializer_list<std::pair<const char*, const char*>> words) {
  Settings settings;
  for (const auto& [name, value] : words) settings[name] = {value, "test"};
  return settings;
}

double carried(const LevelUse& use) {
  return std::accumulate(use.carried.begin(), use.carried.end(), 0.0,
                         [](double sum, const auto& one) { return sum + one.second; });
}

// All-reduce of 8 MB by rings, four nodes on a switch, three switches on a ring. Below each node sends 3/4 of the vector before and after,
// over two links: 12 nodes · 2 · 3/4 · 8 MB · 2 = 288 MB. Above, each switch sends 2·2/3 of it over one link: 3 · 4/3 · 8 MB = 32 MB.
TEST(LevelMeter, ACollectiveByLevel) {
  Draft draft;
  draft.source = "test";
  draft.fabric = said({{"name", "composite"}, {"levels", "switch:name=below,nodes=4/ring:name=above,nodes=3"}});
  Draft::Block block{.place = "test",
                     .keys = said({{"kind", "all-reduce"}, {"bytes", "8 MB"}, {"algorithm", "by-level"}})};
  block.parameters = said({{"levels", "ring/ring"}});
  draft.collectives.push_back(std::move(block));
  const Experiment experiment = interpret(draft);
  const Result result = run(experiment, experiment.collectives.front(), {.trace = true, .picture = true});
  ASSERT_TRUE(result.composite);
  EXPECT_EQ(result.composite->levels[1].name, "above");
  ASSERT_EQ(result.levels.size(), 2u);
  EXPECT_EQ(result.levels[0].carried.front().first, "all-reduce");
  EXPECT_NEAR(carried(result.levels[0]), 288e6, 1);
  EXPECT_NEAR(carried(result.levels[1]), 32e6, 1);
  EXPECT_NEAR(carried(result.levels[0]) + carried(result.levels[1]), result.traffic.value, 1);
  for (const LevelUse& use : result.levels) {
    EXPECT_GT(use.most, 0);
    EXPECT_LE(use.most, 1 + 1e-9);
    EXPECT_LE(use.mean, use.most);
  }
  EXPECT_NE(result.levels[1].busiest.find("above"), std::string::npos);
  bool below = false, above = false;
  for (const TraceEvent& bar : result.trace) {
    below = below || bar.levels == 1;
    above = above || bar.levels == 2;
  }
  EXPECT_TRUE(below && above);
  // Nobody asked: nothing is told
  EXPECT_FALSE(run(experiment, experiment.collectives.front()).composite);
}

// Two replicas of two NPUs on two wafers of a composite, weights from outside. Each wafer streams the whole model in twice and its
// gradients out once, over I/O channels of its own: with P parameters of 2 bytes 4 P and 2 P bytes through each wafer's channels, which
// are on level 0. tp stays on its wafer, dp goes over both levels; together they are all the traffic.
TEST(LevelMeter, AJobThatStreamsFromEachWafer) {
  Draft draft;
  draft.source = "test";
  draft.fabric =
      said({{"name", "composite"}, {"levels", "fred:name=wafer,nodes=2,radix=2/switch:name=between,nodes=2"}});
  JobBlock block{.place = "test",
                 .keys = said({{"name", "j"},
                               {"model", "gpt3-175b"},
                               {"npu", "fred-npu"},
                               {"tp", "2"},
                               {"dp", "2"},
                               {"micro_batch", "1"},
                               {"execution", "streaming"},
                               {"recompute", "full"},
                               {"precision", "fp16"}}),
                 .tables = {}};
  draft.jobs.push_back(std::move(block));
  const IterationResult job = run_jobs(interpret(draft), {.trace = true, .picture = true}).front();
  const double parameters = 174604259328.0;
  double in = 0, out = 0;  // bytes through all channels of a wafer
  for (const LinkClass& link : job.links) {
    if (link.name == "I/O channel in") in = link.mean * job.time_s * 18 * 128e9;
    if (link.name == "I/O channel out") out = link.mean * job.time_s * 18 * 128e9;
  }
  EXPECT_NEAR(in / (4 * parameters), 1, 0.01);  // the shared embedding comes in for its first and its last layer
  EXPECT_NEAR(out / (2 * parameters), 1, 0.01);
  ASSERT_EQ(job.level_uses.size(), 2u);
  const auto has = [](const LevelUse& use, const std::string& name) {
    return std::ranges::any_of(use.carried, [&](const auto& one) { return one.first == name; });
  };
  EXPECT_TRUE(has(job.level_uses[0], "tp") && has(job.level_uses[0], "streaming"));
  EXPECT_FALSE(has(job.level_uses[1], "tp") || has(job.level_uses[1], "streaming"));
  EXPECT_TRUE(has(job.level_uses[1], "dp"));
  EXPECT_NEAR((carried(job.level_uses[0]) + carried(job.level_uses[1])) / job.traffic.value, 1, 1e-9);
  bool between = false;
  for (const TraceEvent& bar : job.trace) between = between || (bar.levels & 2) != 0;
  EXPECT_TRUE(between);
}

}  // namespace
}  // namespace helio::pipeline
