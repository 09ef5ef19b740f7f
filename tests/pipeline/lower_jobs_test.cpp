// SPDX-License-Identifier: Apache-2.0
#include "pipeline/lower_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "pipeline/critical_path.h"
#include "pipeline/job_schedules.h"
#include "pipeline/tasks.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::Task;
using placement::TaskKind;

Time s(double seconds) { return Time::seconds(seconds); }

Task compute(double seconds, std::uint32_t row = 0) {
  Task task;
  task.duration = s(seconds);
  task.row = row;
  return task;
}

ChosenFabric switch_of_four() {
  return ChosenFabric({"switch", "test", {{"nodes", {"4", ""}}, {"rate", {"8 Gb/s", ""}}, {"latency", {"0 s", ""}}}});
}

// A job on nodes 0 and 1: three layers of 1 s, each with an all-reduce of 2 GB among them. At 1 GB/s a ring of two sends 1 GB
// twice: 2 s. Then 4 s of something else.
PlacedJob three_layers() {
  PlacedJob job;
  job.name = "job";
  placement::Program& p = job.program;
  p.rows = {"cell"};
  p.requests.push_back({Activity::kTp, {schedule::Kind::kAllReduce, Bytes{2e9}, {{NodeId{0}, NodeId{1}}}, 0}});
  p.bodies.push_back({"layer", {compute(1), collective(0, Activity::kTp)}, {{0, 1}}});
  p.bodies.push_back({"iteration", {run_body(0, 3), compute(4)}, {{0, 1}}});
  p.entry = 1;
  return job;
}

TEST(LowerJobs, BodiesAndCollectivesFollowEachOther) {
  Assembly assembly(switch_of_four());
  const std::vector<PlacedJob> jobs = {three_layers()};
  const LoweredJobs lowered = lower_jobs(assembly, jobs);
  flow::check(assembly.program);
  for (const bool jump : {true, false}) {
    const auto timeline = simulate::simulate(assembly.program, {.jump = jump});
    EXPECT_EQ(timeline.end, s(13));  // 3 (1 + 2) + 4
    const PathShares shares = shares_of(timeline, lowered, 0);
    EXPECT_NEAR(shares.seconds[static_cast<std::size_t>(Activity::kCompute)], 7, 1e-9);
    EXPECT_NEAR(shares.seconds[static_cast<std::size_t>(Activity::kTp)], 6, 1e-9);
    EXPECT_EQ(in_words(shares, jobs[0].program),
              "computing 53.8 %, tensor-parallel exchange 46.2 %; 100 % of it at cell");
  }
  EXPECT_EQ(lowered.algorithms[0][0], "ring");
}

// A ring of two sends twice the same way: the layer calls two rounds of that, with no template between.
TEST(LowerJobs, ATaskCallsTheRoundsOfItsCollective) {
  Assembly assembly(switch_of_four());
  lower_jobs(assembly, {three_layers()});
  const auto& templates = assembly.program.templates;
  const auto layer = std::ranges::find(templates, "layer", &flow::Template::name);
  ASSERT_NE(layer, templates.end());
  const flow::Operation& call = layer->operations[1];
  EXPECT_EQ(call.rounds, 2u);
  for (const flow::Operation& move : templates[call.callee.value].operations)
    EXPECT_EQ(move.kind, flow::OperationKind::kTransfer);
}

// Twice in a row: 26 s, and the path tells of both iterations.
TEST(LowerJobs, IterationsRepeat) {
  Assembly assembly(switch_of_four());
  std::vector<PlacedJob> jobs = {three_layers()};
  jobs[0].iterations = 2;
  const LoweredJobs lowered = lower_jobs(assembly, jobs);
  const auto timeline = simulate::simulate(assembly.program, {});
  EXPECT_EQ(timeline.end, s(26));
  EXPECT_NEAR(shares_of(timeline, lowered, 0).seconds[0], 14, 1e-9);
}

// Two jobs that both send from node 0 to node 1, 6 GB and 2 GB at once over one port of 1 GB/s. Alike, they share: the small
// one ends at 4 s, the large one at 8 s. With the small one more urgent it ends at 2 s, the other still at 8 s.
TEST(LowerJobs, JobsShareLinksAndClassesHavePriority) {
  const auto job = [](const char* name, double bytes, Activity activity) {
    PlacedJob j;
    j.name = name;
    j.program.rows = {"cell"};
    j.program.requests.push_back({activity, {schedule::Kind::kBroadcast, Bytes{bytes}, {{NodeId{0}, NodeId{1}}}, 0}});
    j.program.bodies.push_back({"iteration", {collective(0, activity)}, {}});
    return j;
  };
  std::vector<PlacedJob> jobs = {job("large", 6e9, Activity::kDp), job("small", 2e9, Activity::kPp)};
  const auto ends = [&] {
    Assembly assembly(switch_of_four());
    const LoweredJobs lowered = lower_jobs(assembly, jobs);
    const auto timeline = simulate::simulate(assembly.program, {});
    std::vector<double> result(2);
    for (const simulate::Link& link : timeline.links)
      if (link.where == lowered.entry && link.operation != simulate::Link::kNone)
        result[link.operation] = link.end.to_seconds();
    return result;
  };
  EXPECT_EQ(ends(), (std::vector<double>{8, 4}));
  jobs[0].transport.priority.fill(1);
  EXPECT_EQ(ends(), (std::vector<double>{8, 2}));
}

// 10 GB in at 2 GB/s and 4 GB out beside them: full duplex, so 5 s.
TEST(LowerJobs, IoIsFullDuplex) {
  PlacedJob job;
  job.program.rows = {"io"};
  job.program.io_rate = BitRate{16e9};
  Task in, out;
  in.kind = TaskKind::kInput;
  in.bytes = Bytes{10e9};
  out.kind = TaskKind::kOutput;
  out.bytes = Bytes{4e9};
  job.program.bodies.push_back({"iteration", {in, out}, {}});
  Assembly assembly(switch_of_four());
  const LoweredJobs lowered = lower_jobs(assembly, {job});
  EXPECT_EQ(simulate::simulate(assembly.program, {}).end, s(5));
}

// Groups of 16 over two servers of 8 are carried server by server; with one member in each, by one ring.
TEST(LowerJobs, ChoosesAsLibrariesDo) {
  const auto cluster = fabric::make("cluster", {{"nodes", {"32", ""}}});
  schedule::CollectiveRequest request{schedule::Kind::kAllReduce, Bytes{1}, {{}}, 0};
  for (std::uint32_t i = 0; i < 16; ++i) request.groups[0].push_back(NodeId{i});
  EXPECT_EQ(usual_algorithm(request, cluster->capabilities()).name, "hierarchical-ring");
  EXPECT_EQ(usual_algorithm(request, cluster->capabilities()).settings.at("group").text, "8");
  request.groups = {{NodeId{3}, NodeId{11}, NodeId{19}}};
  EXPECT_EQ(usual_algorithm(request, cluster->capabilities()).name, "ring");
  request.groups = {{NodeId{0}, NodeId{1}, NodeId{8}}};  // unequal
  EXPECT_EQ(usual_algorithm(request, cluster->capabilities()).name, "ring");
  request.kind = schedule::Kind::kAllToAll;
  EXPECT_EQ(usual_algorithm(request, cluster->capabilities()).name, "direct");
}

TEST(LowerJobs, ARefusalSaysWhoseTrafficItWas) {
  Assembly assembly(switch_of_four());
  std::vector<PlacedJob> jobs = {three_layers()};
  jobs[0].transport.algorithm[static_cast<std::size_t>(Activity::kTp)] = Choice{"in-fabric", "file:3:1", {}};
  try {
    lower_jobs(assembly, jobs);
    FAIL() << "lowered";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "file:3:1");
  }
}

// A switch with one operator and two groups of a collective that want one each: refused, unless a remedy is allowed. The second group
// waits for the first (block), or goes round a ring beside it (endpoint); the result says which.
TEST(LowerJobs, RemediesOfAJob) {
  const auto two_groups = [](std::vector<Remedy> remedies) {
    PlacedJob job = three_layers();
    job.program.requests[0].request.groups = {{NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{3}}};
    job.transport.algorithm[static_cast<std::size_t>(Activity::kTp)] = Choice{"in-fabric", "file:3:1", {}};
    job.transport.remedies = {std::move(remedies), "file:4:1"};
    return job;
  };
  const ChosenFabric one_operator(
      {"switch",
       "test",
       {{"nodes", {"4", ""}}, {"rate", {"8 Gb/s", ""}}, {"latency", {"0 s", ""}}, {"reducers", {"1", ""}}}});
  const auto outcomes = [](const LoweredJobs& lowered) {
    std::vector<std::string> all;
    for (const Attempt& attempt : lowered.attempts[0]) all.push_back(attempt.remedy + " " + attempt.outcome);
    return all;
  };
  {
    Assembly assembly(one_operator);
    const std::vector<PlacedJob> refused = {two_groups({})};
    EXPECT_THROW(lower_jobs(assembly, refused), Error);
  }
  // Three layers of 1 s and of two waves of 2 GB at 1 GB/s; then 4 s
  Assembly blocked(one_operator);
  const std::vector<PlacedJob> waits = {two_groups({Remedy::kBlock})};
  const LoweredJobs by_waves = lower_jobs(blocked, waits);
  EXPECT_EQ(blocked.simulate({}, {}).end, s(3 * (1 + 2 * 2) + 4));
  EXPECT_EQ(outcomes(by_waves), (std::vector<std::string>{"none refused", "block carried"}));
  EXPECT_EQ(by_waves.algorithms[0][0], "in-fabric");
  // The ring of two takes 2 s, as the switch does, on ports of its own
  Assembly beside(one_operator);
  const std::vector<PlacedJob> ends = {two_groups({Remedy::kMiddle, Remedy::kEndpoint})};
  const LoweredJobs by_ends = lower_jobs(beside, ends);
  EXPECT_EQ(beside.simulate({}, {}).end, s(3 * (1 + 2) + 4));
  EXPECT_EQ(outcomes(by_ends), (std::vector<std::string>{"none refused", "middle not applicable", "endpoint carried"}));
  EXPECT_EQ(by_ends.algorithms[0][0], "in-fabric+ring");
}

// FRED of two middle switches, where the triangle {0,2}, {1,4}, {3,5} of three stages does not go together (papers/fred.md 2.3). The
// collectives are asked for one by one and may run beside each other, so only endpoints help; whoever allows nothing else is refused.
TEST(LowerJobs, CollectivesBesideEachOtherGoToTheEndpoints) {
  const ChosenFabric fred({"fred", "test", {{"radix", {"8", ""}}, {"middle", {"2", ""}}}});
  const auto stages = [](std::vector<Remedy> remedies) {
    PlacedJob job = three_layers();
    job.program.requests.clear();
    job.program.bodies = {{"iteration", {}, {}}};
    job.program.entry = 0;
    for (const auto& group : std::vector<std::vector<NodeId>>{{{0}, {2}}, {{1}, {4}}, {{3}, {5}}, {{6}, {7}}}) {
      const auto index = static_cast<std::uint32_t>(job.program.requests.size());
      job.program.requests.push_back({Activity::kDp, {schedule::Kind::kAllReduce, Bytes{1e6}, {group}, 0}});
      job.program.bodies[0].tasks.push_back(collective(index, Activity::kDp));
    }
    job.transport.remedies = {std::move(remedies), "file:4:1"};
    return job;
  };
  for (const std::vector<Remedy>& remedies : {std::vector<Remedy>{}, {Remedy::kBlock}}) {
    Assembly assembly(fred);
    const std::vector<PlacedJob> jobs = {stages(remedies)};
    EXPECT_THROW(lower_jobs(assembly, jobs), Error);
  }
  Assembly assembly(fred);
  const std::vector<PlacedJob> jobs = {stages({Remedy::kBlock, Remedy::kEndpoint})};
  const LoweredJobs lowered = lower_jobs(assembly, jobs);
  std::vector<std::string> outcomes;
  for (const Attempt& attempt : lowered.attempts[0]) outcomes.push_back(attempt.remedy + " " + attempt.outcome);
  EXPECT_EQ(outcomes, (std::vector<std::string>{"none refused", "block not applicable", "endpoint carried"}));
  EXPECT_EQ(lowered.algorithms[0], (std::vector<std::string>{"ring", "ring", "ring", "ring"}));
}

}  // namespace
}  // namespace helio::pipeline
