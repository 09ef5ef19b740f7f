// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_stream.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"
#include "workload/job_generator.h"

namespace helio::pipeline {
namespace {

const BitRate kRate{100e9};

JobStream stream(std::vector<StreamJob> jobs, std::uint32_t nodes, QueueOrder order = QueueOrder::kFifo) {
  JobStream stream{.source = "test", .columns = "plain", .jobs = std::move(jobs), .nodes = nodes};
  stream.order = order;
  return stream;
}

StreamResult on(const JobStream& stream, const std::string& fabric, Texts settings, bool patched = false) {
  settings["nodes"] = std::to_string(stream.nodes);
  const StreamContender contender{fabric, {fabric, "test", settings_of(settings, "fabric.")}, patched, 60};
  const StreamComparison found = compare_streams(stream, {contender}, kRate);
  EXPECT_TRUE(found.entries.front().result);
  return found.entries.front().result.value_or(StreamResult{});
}

// What everybody is measured by: 100 Gb/s, no latency.
const Texts kIdeal = {{"rate", "100 Gb/s"}, {"latency", "0 s"}};

// A has all four nodes until 100, B and C wait: completions 100, 140, 110; waiting 0, 90, 80.
TEST(JobStream, JobsWaitForNodesInTheOrderOfArrival) {
  const JobStream jobs = stream({{0, 100, 4, 6}, {10, 50, 2, 6}, {20, 30, 2, 6}}, 4);
  const StreamResult told = on(jobs, "switch", kIdeal);
  EXPECT_NEAR(told.completion_s.mean, 350.0 / 3, 1e-9);
  EXPECT_NEAR(told.completion_s.p50, 110, 1e-9);
  EXPECT_NEAR(told.completion_s.p99, 140, 1e-9);
  EXPECT_NEAR(told.waiting_s.mean, 170.0 / 3, 1e-9);
  EXPECT_NEAR(told.slowdown, 1, 1e-12);
  EXPECT_NEAR(told.end_s, 150, 1e-9);
  EXPECT_NEAR(told.node_utilisation, 1, 1e-12);  // while they arrive: until 20
  EXPECT_EQ(told.held_up, 0u);
  ASSERT_EQ(told.completions.size(), 3u);
  EXPECT_NEAR(told.completions[0].first, 100, 1e-9);
  EXPECT_NEAR(told.completions[0].second, 1.0 / 3, 1e-12);
}

// A has three of four nodes until 100. B wants all, C one: in order C waits for B (150), else it goes by at once and ends at 50.
TEST(JobStream, WhoFitsMayOvertake) {
  const std::vector<StreamJob> jobs = {{0, 100, 3, 6}, {10, 50, 4, 6}, {20, 30, 1, 6}};
  EXPECT_NEAR(on(stream(jobs, 4), "switch", kIdeal).completion_s.mean, (100 + 140 + 160) / 3.0, 1e-9);
  EXPECT_NEAR(on(stream(jobs, 4, QueueOrder::kOvertaking), "switch", kIdeal).completion_s.mean, (100 + 140 + 30) / 3.0,
              1e-9);
}

// A ring one way at the same rate takes what the switch does; a minute to patch it is waiting. One node needs no patch.
TEST(JobStream, APatchPanelTakesItsTimeBeforeTheJob) {
  const StreamResult told = on(stream({{0, 100, 4, 6}, {0, 50, 1, 6}}, 8), "ring", kIdeal, true);
  EXPECT_EQ(told.footing, Footing::kPatched);
  EXPECT_NEAR(told.running_s.mean, 75, 1e-6);
  EXPECT_NEAR(told.waiting_s.most, 60, 1e-9);
  EXPECT_EQ(told.changes, 1u);
  EXPECT_NEAR(told.in_changes_s, 60, 1e-9);
}

// Half of a node's wavelengths go each way, and a ring goes one way; a fifth of the time is dark. So it is slower than the switch, but by no
// more than what a byte takes, 1 / (0.5 · 0.8) times as long.
TEST(JobStream, SipRingIsSlowerByWhatItsBytesTake) {
  const StreamResult told = on(stream({{0, 1000, 8, 6}}, 64), "sip-ring", {{"rate", "25 Gb/s"}});
  EXPECT_EQ(told.footing, Footing::kArcs);
  EXPECT_GT(told.slowdown, 1.2);
  EXPECT_LE(told.slowdown, 2.5);
}

// 48 ms of a hundred seconds; nobody else is felt.
TEST(JobStream, OddlsSlicesAreApart) {
  const StreamResult told =
      on(stream({{0, 100, 16, 6}, {1, 100, 16, 7}, {2, 10, 1, 0}}, 64), "oddl", {{"rate", "100 Gb/s"}});
  EXPECT_EQ(told.footing, Footing::kSlices);
  EXPECT_NEAR(told.waiting_s.most, 0.05, 1e-9);
  EXPECT_EQ(told.changes, 2u);
  EXPECT_NEAR(told.slowdown, 1, 0.01);
  EXPECT_EQ(told.shared, 0);
  EXPECT_NEAR(told.by_others, 1, 1e-9);
  ASSERT_TRUE(told.light_utilisation);
  EXPECT_GT(*told.light_utilisation, 0);
}

// The same seed, the same answer; every job ends after it came, and nobody is faster than alone on an ideal switch.
TEST(JobStream, GeneratedJobsOnATree) {
  JobStream jobs = stream_of(workload::generate_jobs(300, 1, 5),
                             Parameters("jobs", stream_parameters(),
                                        settings_of({{"nodes", "64"}, {"nodes_per_gpu", "4"}, {"load", "0.9"}}, "")));
  EXPECT_NEAR(jobs.offered(), 0.9, 1e-9);
  jobs.scattered = true;
  const Texts tree = {{"rate", "100 Gb/s"}, {"oversubscription", "4"}};
  const StreamResult told = on(jobs, "fat-tree", tree), again = on(jobs, "fat-tree", tree);
  EXPECT_EQ(told.completions, again.completions);
  EXPECT_GT(told.shared, 0.5);
  EXPECT_GT(told.by_others, 1);
  EXPECT_GE(told.slowdown, told.by_others);
  EXPECT_GE(told.running_s.mean, on(jobs, "switch", kIdeal).running_s.mean);
  EXPECT_LE(told.node_utilisation, 1);
}

// 8 GPUs by half a node each are 4; by 16 nodes 128, of which there are 64.
TEST(JobStream, AGpuIsSoManyNodes) {
  const workload::JobLog log{.source = "log",
                             .jobs = {{.arrival_s = 0, .duration_s = 5, .gpus = 8, .place = "log:2:1"}}};
  const auto with = [&](const char* factor) {
    return stream_of(
        log, Parameters("jobs", stream_parameters(), settings_of({{"nodes", "64"}, {"nodes_per_gpu", factor}}, "")));
  };
  EXPECT_EQ(with("0.5").jobs[0].nodes, 4u);
  try {
    with("16");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "log:2:1");
  }
}

}  // namespace
}  // namespace helio::pipeline
