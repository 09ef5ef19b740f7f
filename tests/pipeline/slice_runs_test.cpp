// SPDX-License-Identifier: Apache-2.0
// Jobs at work on the slices of ODDL's planner: how many runs, and that nobody feels what happens to another (papers/oddl.md 7,
// item 8). All of it is ours.
//
// Four groups of four nodes at 100 Gb/s, a WSS change in 1 ms. A ring all-reduce of 1 MB on 4 nodes has 6 rounds of 250 kB, 20 us
// each. Its circuits stay, so that only the first run pays the set-up: 617.4 ns for the request and 220 ns dark (2.3).
#include "pipeline/slice_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "fabric/oddl/oddl_slice_planner.h"
#include "pipeline/slice_program.h"

namespace helio::pipeline {
namespace {

constexpr double kSetup = 0.8374, kDark = 0.22;  // us
Time us(double value) { return Time::microseconds(value); }

// A planner and what it gave to whom.
class World {
 public:
  explicit World(const fabric::OddlGeometry& geometry = {.groups = 4, .nodes_per_group = 4, .channels = 8},
                 const fabric::SliceOptions& options = {.wss = Time::milliseconds(1)})
      : planner_(geometry, options) {
    const auto set = [&](const char* name, std::uint32_t value) { question.fabric[name] = {fmt(value), "test"}; };
    set("groups", geometry.groups);
    set("nodes_per_group", geometry.nodes_per_group);
    set("channels", geometry.channels);
    set("planes", geometry.planes);
    question.fabric["wss"] = {"1 ms", "test"};
    question.runs = 0;
    question.record = true;
  }

  World& admit(const std::string& name, std::vector<std::uint32_t> nodes, const char* algorithm, Time at) {
    fabric::JobRequest request;
    request.name = name;
    for (const std::uint32_t node : nodes) request.nodes.push_back({node});
    request.algorithm = algorithm;
    if (std::ranges::count(question.jobs, name) == 0) question.jobs.push_back(name);
    begin(name, planner_.admit(request), at);
    return *this;
  }
  World& grow(const std::string& name, std::uint32_t more, Time at) {
    const fabric::SliceReport report = planner_.grow(ids_.at(name), more);
    end(name, at, false);
    begin(name, report, at);
    return *this;
  }
  World& fail(const std::string& name, std::uint32_t node, Time at) {
    const fabric::SliceReport report = planner_.fail({node});
    EXPECT_EQ(report.job, ids_.at(name));
    end(name, at, true);
    begin(name, report, at);
    return *this;
  }
  World& leave(const std::string& name, Time at) {
    planner_.leave(ids_.at(name));
    end(name, at, false);
    return *this;
  }
  World& until(Time at) {
    question.until = at;
    return *this;
  }
  World& with(const char* key, const char* value) {
    question.fabric[key] = {value, "test"};
    return *this;
  }

  fabric::Isolation isolation(const std::string& name) const { return planner_.isolation(ids_.at(name)); }
  SliceRuns run() const { return run_slices(question); }
  // The flows of one job, which does not know what number it has.
  std::vector<SliceFlow> flows(const std::string& name) const {
    const auto job = static_cast<std::uint32_t>(std::ranges::find(question.jobs, name) - question.jobs.begin());
    std::vector<SliceFlow> found;
    for (SliceFlow flow : run().flows)
      if (flow.job == job) flow.job = 0, found.push_back(flow);
    return found;
  }

  SliceQuestion question;

 private:
  static std::string fmt(std::uint32_t value) { return std::to_string(value); }
  void begin(const std::string& name, const fabric::SliceReport& report, Time at) {
    ASSERT_TRUE(report.done) << name << ": " << report.reason;
    ids_[name] = report.job;
    SliceStretch stretch;
    stretch.job = static_cast<std::uint32_t>(std::ranges::find(question.jobs, name) - question.jobs.begin());
    stretch.algorithm = report.algorithm;
    stretch.group = report.group;
    stretch.nodes = report.nodes;
    stretch.slice = planner_.slice(report.job);
    stretch.parts = report.parts;
    stretch.changes_per_run = report.wss_changes_per_run;
    stretch.wss_changes = report.wss_changes;
    stretch.bytes = Bytes{1e6};
    stretch.at = at;
    question.stretches.push_back(stretch);
  }
  void end(const std::string& name, Time at, bool failed) {
    const auto job = static_cast<std::uint32_t>(std::ranges::find(question.jobs, name) - question.jobs.begin());
    for (SliceStretch& stretch : question.stretches)
      if (stretch.job == job && !stretch.until) stretch.until = at, stretch.failed = failed;
  }

  fabric::SlicePlanner planner_;
  std::map<std::string, fabric::JobId> ids_;
};

void expect_us(Time time, double expected) { EXPECT_NEAR(1e6 * time.to_seconds(), expected, 1e-6); }

// Lit at 1 ms. Run 0 takes 120.8374 us, the others 120: run i begins at 1000.8374 + 120 i, before 5000 while i < 33.3.
TEST(SliceRuns, AJobRepeatsItsCollectiveFromWhenItsSliceIsLit) {
  World world;
  const SliceRuns runs = world.admit("a", {0, 1, 2, 3}, "ring", Time()).until(us(5000)).run();
  const JobRuns& job = runs.jobs[0];
  EXPECT_EQ(job.runs, 34u);
  EXPECT_EQ(job.simulated, 34u);
  expect_us(job.stretches[0].lit, 1000);
  expect_us(job.p50, 120);
  expect_us(job.p99, 120 + kSetup);  // the worst of 34
  expect_us(job.mean, 120 + kSetup / 34);
  expect_us(job.in_wss, 1000);
  EXPECT_EQ(job.bytes.value, 34e6);
  expect_us(runs.end, 1000 + kSetup + 34 * 120);
  EXPECT_EQ(runs.flows.size(), 34u * 6 * 4);
}

// Each of 4 nodes sends and receives 2 · 3/4 of 1 MB at 12.5 GB/s: what all runs but the first take, whose set-up is none of the bound's.
TEST(SliceRuns, RunsKeepTheBound) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time());
  EXPECT_NEAR(1e6 * SliceProgram(world.question).bound_s(world.question.stretches[0]), 120, 1e-6);
}

// Five of them are simulated, which end at 1600.8374; 28.3 more begin before 5000, so 29, and the result says so.
TEST(SliceRuns, WhatIsNotSimulatedIsCountedAndSaid) {
  World world;
  world.question.runs = 5;
  const SliceRuns runs = world.admit("a", {0, 1, 2, 3}, "ring", Time()).until(us(5000)).run();
  EXPECT_EQ(runs.jobs[0].simulated, 5u);
  EXPECT_EQ(runs.jobs[0].runs, 34u);
  expect_us(runs.end, 1000 + kSetup + 34 * 120);
  EXPECT_NE(runs.assumptions.back().find("29 runs were counted"), std::string::npos) << runs.assumptions.back();

  // Without an end there are as many as are simulated, and without either it never ends
  world.question.until.reset();
  EXPECT_EQ(world.run().jobs[0].runs, 5u);
  world.question.runs = 0;
  EXPECT_THROW(world.run(), Error);
}

// One run of 120.8374 us and 33 of 120 on 4 nodes, which end at 5080.8374; then, on 8 nodes that nobody had, lit at 6080.8374, one of
// 140.8374 and others of 140 (14 rounds of 10 us): 7 begin before 7000. The mean of these 41 is (34 * 120 + 7 * 140 + 2 * 0.8374) / 41 us,
// and the 21st of them takes 120; the plain mean of five simulated of each stretch would be 130. Simulating fewer changes nothing, because
// all runs of a stretch but the first are alike.
TEST(SliceRuns, ASimulatedRunWeighsWhatItStandsFor) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).leave("a", us(5000));
  world.admit("a", {4, 5, 6, 7, 8, 9, 10, 11}, "ring", us(5000)).until(us(7000));
  for (const std::uint32_t most : {0u, 5u, 3u, 2u}) {
    world.question.runs = most;
    const JobRuns job = world.run().jobs[0];
    EXPECT_EQ(job.runs, 41u) << most;
    expect_us(job.mean, (34 * 120 + 7 * 140 + 2 * kSetup) / 41);
    expect_us(job.p50, 120);
    expect_us(job.p99, 140 + kSetup);  // the worst of 41
  }

  // One simulated run is all there is to go by
  world.question.runs = 1;
  const JobRuns job = world.run().jobs[0];
  expect_us(job.mean,
            (120.0 * static_cast<double>(job.stretches[0].runs) + 140.0 * static_cast<double>(job.stretches[1].runs)) /
                    static_cast<double>(job.runs) +
                kSetup);
}

// 80 us of compute before each run: one begins every 200 us, and the times of runs do not count it.
TEST(SliceRuns, ComputeComesBeforeEachRun) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).until(us(5000));
  world.question.stretches[0].compute = us(80);
  const SliceRuns runs = world.run();
  EXPECT_EQ(runs.jobs[0].runs, 20u);  // 1000.8374 + 200 i < 5000 for i < 19.99
  expect_us(runs.jobs[0].p50, 120);
}

// The run that begins at 4960.8374 ends at 5080.8374; then the WSS change. On 8 nodes there are 14 rounds of 10 us.
TEST(SliceRuns, AJobThatGrowsEndsItsRunningCollectiveFirst) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).grow("a", 4, us(5000)).until(us(7000));
  const SliceRuns runs = world.run();
  const JobRuns& job = runs.jobs[0];
  ASSERT_EQ(job.stretches.size(), 2u);
  EXPECT_EQ(job.stretches[0].runs, 34u);
  expect_us(job.stretches[0].end, 5080 + kSetup);
  expect_us(job.stretches[1].lit, 6080 + kSetup);
  EXPECT_EQ(job.stretches[1].runs, 7u);  // 6081.6748 + 140 i < 7000 for i < 6.56
  EXPECT_EQ(job.abandoned, 0u);
  expect_us(job.in_wss, 2000);

  // The same where runs are counted: they end when they would have ended
  world.question.runs = 4;
  expect_us(world.run().jobs[0].stretches[1].lit, 6080 + kSetup);
}

// Run i ends at 1120.8374 + 120 i, not after 5000 while i <= 32.3; the 34th is abandoned, and the change begins at once.
TEST(SliceRuns, AFailureAbandonsTheRunningCollective) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).fail("a", 2, us(5000)).until(us(7000));
  for (const std::uint32_t most : {0u, 6u, 50u}) {
    world.question.runs = most;
    const SliceRuns runs = world.run();
    const JobRuns& job = runs.jobs[0];
    EXPECT_EQ(job.stretches[0].runs, 33u) << most;
    EXPECT_TRUE(job.stretches[0].abandoned);
    EXPECT_EQ(job.abandoned, 1u);
    expect_us(job.stretches[1].lit, 6000);
  }
}

// The nodes of a job that leaves are somebody else's when its last collective has ended.
TEST(SliceRuns, WhoGetsNodesOfAnotherWaitsForItsLastCollective) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).leave("a", us(5000)).admit("b", {0, 1}, "ring", us(5000));
  world.admit("c", {4, 5}, "ring", us(5000)).until(us(7000));
  const SliceRuns runs = world.run();
  expect_us(runs.jobs[1].stretches[0].lit, 6080 + kSetup);
  expect_us(runs.jobs[2].stretches[0].lit, 6000);
}

// Four groups of two nodes, 4 channels on one plane: two nodes of each class. Halving-doubling of 8 reaches the own group and those
// at distances 1 and 2, of which two fit: three parts, two changes, and the light of the last part is in the setting of the first. Six steps carry 7/8 + 7/8 of 1 MB in 140 us, each set up, but
// for one dark time in the middle; a later run begins with the circuits with which the last one ended.
TEST(SliceRuns, ARunInPartsPaysItsWssChanges) {
  World world({.groups = 4, .nodes_per_group = 2, .channels = 4}, {.wss = Time::milliseconds(1), .two_level = false});
  world.admit("a", {0, 1, 2, 3, 4, 5, 6, 7}, "halving-doubling", Time()).until(us(10000));
  ASSERT_EQ(world.question.stretches[0].parts, 3u);
  const SliceRuns runs = world.run();
  const JobRuns& job = runs.jobs[0];
  EXPECT_EQ(job.runs, 5u);  // from 1000 on, one every 2145 us or so
  expect_us(job.p99, 2000 + 140 + 6 * kSetup - kDark);
  expect_us(job.p50, 2000 + 140 + 6 * kSetup - 2 * kDark);
  expect_us(job.in_wss, 1000 + 5 * 2000);
}

// papers/oddl.md 7, item 8. `a` has group 0 for itself; `b` and `c` share group 1, its fibre, WSS and arbiter. What happens to b
// moves no flow of a or c by a zeptosecond.
struct Change {
  const char* name;
  void (*make)(World&);
};
const Change kChanges[] = {
    {"grow", [](World& world) { world.grow("b", 2, us(2500)); }},
    {"fail", [](World& world) { world.fail("b", 5, us(2500)); }},
    {"leave", [](World& world) { world.leave("b", us(2500)); }},
    {"leave and another comes",
     [](World& world) {
       world.leave("b", us(2500)).admit("d", {4, 5}, "ring", us(2500));
     }},
};

World three(const std::vector<std::pair<const char*, const char*>>& settings) {
  World world;
  for (const auto& [key, value] : settings) world.with(key, value);
  world.admit("a", {0, 1, 2, 3}, "halving-doubling", Time()).admit("b", {4, 5}, "halving-doubling", Time());
  world.admit("c", {6, 7}, "halving-doubling", us(3)).until(us(5000));
  return world;
}

TEST(SliceRuns, NoFlowOfAnotherJobIsTouchedByTheChangeOfASlice) {
  const std::vector<std::vector<std::pair<const char*, const char*>>> kinds = {
      {},
      {{"policy", "fifo"}},
      {{"policy", "round-robin"}},
      {{"policy", "coflow"}},
      {{"policy", "planned"}},
      {{"control", "slotted"}},
      {{"lookahead", "2"}, {"quantum", "10 kB"}},
      {{"hold", "false"}, {"clock_error", "1 us"}},
  };
  for (const auto& settings : kinds) {
    const World before = three(settings);
    EXPECT_EQ(before.isolation("a"), fabric::Isolation::kPhysical);
    EXPECT_EQ(before.isolation("c"), fabric::Isolation::kMasked);
    const std::vector<SliceFlow> a = before.flows("a"), c = before.flows("c");
    ASSERT_GT(c.size(), 20u);
    ASSERT_LT(c.front().start, us(2500));
    ASSERT_TRUE(std::ranges::any_of(c, [](const SliceFlow& flow) { return flow.start > us(4500); }));
    for (const Change& change : kChanges) {
      World after = three(settings);
      change.make(after);
      const std::string where = std::string(change.name) + (settings.empty() ? "" : settings[0].second);
      EXPECT_NE(after.flows("b"), before.flows("b")) << where;
      EXPECT_TRUE(after.flows("a") == a) << where;
      EXPECT_TRUE(after.flows("c") == c) << where;
    }
  }
}

// One arbiter for all takes messages one by one, 15 ns each: there whoever asks at the same time as others waits for them.
TEST(SliceRuns, ACentralArbiterCouplesJobsThatShareNothingElse) {
  // Two alike, in different groups, that begin at the same moment: b's four requests wait for a's, 60 ns, and so b lags behind
  const auto with = [](const char* control, bool a) {
    World world;
    world.with("control", control);
    if (a) world.admit("a", {0, 1, 2, 3}, "halving-doubling", Time());
    world.admit("b", {8, 9, 10, 11}, "halving-doubling", Time()).until(us(5000));
    return world.flows("b");
  };
  EXPECT_TRUE(with("distributed", true) == with("distributed", false));
  const std::vector<SliceFlow> beside = with("central", true), alone = with("central", false);
  EXPECT_FALSE(beside == alone);
  ASSERT_FALSE(beside.empty());
  EXPECT_EQ(beside[0].end - alone[0].end, Time::nanoseconds(60));
}

// Who gets the nodes of another after it is left aside, because it had to wait for it; everybody else is not.
TEST(SliceRuns, HeirsAreNoOthers) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).leave("a", us(3000)).admit("b", {0, 1}, "ring", us(3000));
  world.admit("c", {4, 5}, "ring", us(3000)).until(us(5000));
  world.question.prove = true;
  const SliceRuns runs = world.run();
  const auto of = [&](std::uint32_t job) {
    return static_cast<std::uint64_t>(std::ranges::count(runs.flows, job, &SliceFlow::job));
  };
  EXPECT_EQ(runs.jobs[0].others, of(2));          // without a: only c is neither a nor its heir
  EXPECT_EQ(runs.jobs[1].others, of(0) + of(2));  // without b: nobody got anything from it
  EXPECT_EQ(runs.jobs[2].others, of(0) + of(1));
  for (const JobRuns& job : runs.jobs) EXPECT_EQ(job.moved, 0u);
}

TEST(SliceRuns, TheProofSaysHowManyFlowsOfOthersMoved) {
  for (const bool central : {false, true}) {
    World world = three({{"control", central ? "central" : "distributed"}});
    world.question.prove = true;
    const SliceRuns runs = world.run();
    std::uint64_t moved = 0, all = 0;
    for (const JobRuns& job : runs.jobs) moved += job.moved, all += job.others;
    EXPECT_EQ(all, 2 * runs.flows.size());  // each flow is "another's" for two of three jobs
    EXPECT_EQ(moved > 0, central) << moved;
    EXPECT_GT(runs.jobs[1].beside, 0u);
  }
}

// Only what is simulated is compared: of two runs each, at different times, none is beside the other job's.
TEST(SliceRuns, TheProofSaysHowMuchRanAtTheSameTime) {
  World world;
  world.admit("a", {0, 1, 2, 3}, "ring", Time()).admit("b", {8, 9}, "ring", us(2000)).until(us(5000));
  world.question.prove = true;
  EXPECT_EQ(world.run().jobs[0].beside, world.run().jobs[0].others);  // a runs from 1000 to 5000, b from 3000 on
  world.question.runs = 2;
  EXPECT_EQ(world.run().jobs[0].beside, 0u);
  EXPECT_GT(world.run().jobs[0].others, 0u);
}

TEST(SliceRuns, AJobOfOneNodeMovesNothing) {
  World world;
  const SliceRuns runs = world.admit("a", {3}, "ring", Time()).until(us(100)).run();
  EXPECT_EQ(runs.jobs[0].runs, 0u);
  EXPECT_TRUE(runs.flows.empty());
}

}  // namespace
}  // namespace helio::pipeline
