// SPDX-License-Identifier: Apache-2.0
#include "pipeline/bandwidth.h"

#include <gtest/gtest.h>

#include <tuple>

#include "base/error.h"
#include "fabric/fabric.h"
#include "pipeline/asking.h"
#include "pipeline/config_file.h"
#include "pipeline/tasks.h"
#include "schedule/algorithm.h"
#include "simulate/simulate.h"

namespace helio::pipeline {
namespace {

using placement::Activity;
using placement::Task;
using placement::TaskKind;

constexpr std::size_t at(Activity activity) { return static_cast<std::size_t>(activity); }

const std::string kJob = "[fabric]\nname = \"switch\"\nnodes = 4\n[[job]]\nmodel = \"alexnet\"\n";

Job job_of(const std::string& keys) { return interpret(parse_draft(kJob + keys, "x.toml")).jobs[0]; }

Error error_of(const std::string& keys) {
  try {
    Transport transport;
    divide_links(job_of(keys), transport);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted: " << keys;
  return Error(ErrorKind::kUsage, "");
}

TEST(Bandwidth, ByItselfAllAreAlike) {
  Transport transport;
  divide_links(job_of(""), transport);
  EXPECT_EQ(transport.bandwidth, Bandwidth::kStrict);
  for (const std::uint8_t priority : transport.priority) EXPECT_EQ(priority, 0);
  EXPECT_EQ(transport.share, kEqualShares);
}

TEST(Bandwidth, PrioritiesAreStrictAndTheUnnamedComeLast) {
  Transport transport;
  divide_links(job_of("priorities = \"pp, tp\"\n"), transport);
  EXPECT_EQ(transport.priority[at(Activity::kPp)], 0);
  EXPECT_EQ(transport.priority[at(Activity::kTp)], 1);
  EXPECT_EQ(transport.priority[at(Activity::kDp)], 2);
  EXPECT_EQ(transport.share, kEqualShares);
}

TEST(Bandwidth, SharesAreOfOneClassAndTheUnnamedHaveOne) {
  Transport transport;
  divide_links(job_of("bandwidth = \"weighted\"\nshares = \"tp=4, dp=0.5\"\n"), transport);
  EXPECT_EQ(transport.bandwidth, Bandwidth::kWeighted);
  for (const std::uint8_t priority : transport.priority) EXPECT_EQ(priority, 0);
  EXPECT_EQ(transport.share[at(Activity::kTp)], 4);
  EXPECT_EQ(transport.share[at(Activity::kDp)], 0.5);
  EXPECT_EQ(transport.share[at(Activity::kPp)], 1);
}

TEST(Bandwidth, MistakesHaveTheirPlace) {
  // The keys begin in line 6 of the file
  const std::tuple<const char*, const char*, const char*> wrong[] = {
      {"bandwidth = \"fair\"\n", "x.toml:6:1", "'fair'"},
      {"bandwidth = \"weighted\"\n", "x.toml:6:1", "needs shares"},
      {"shares = \"tp=4\"\n", "x.toml:6:1", "shares say nothing where bandwidth is strict"},
      {"bandwidth = \"demand\"\nshares = \"tp=4\"\n", "x.toml:7:1", "shares say nothing where bandwidth is demand"},
      {"bandwidth = \"demand\"\npriorities = \"tp\"\n", "x.toml:7:1",
       "priorities say nothing where bandwidth is demand"},
      {"bandwidth = \"weighted\"\nshares = \"tp=4\"\npriorities = \"tp\"\n", "x.toml:8:1", "priorities say nothing"},
      {"bandwidth = \"weighted\"\nshares = \"tp=0\"\n", "x.toml:7:1", "'tp' cannot have a share of 0"},
      {"bandwidth = \"weighted\"\nshares = \"tp=-1\"\n", "x.toml:7:1", "'tp' cannot have a share of -1"},
      {"bandwidth = \"weighted\"\nshares = \"tp=1e6\"\n", "x.toml:7:1", "'tp' cannot have a share of 1e6"},
      {"bandwidth = \"weighted\"\nshares = \"tp\"\n", "x.toml:7:1", "'tp' is no share"},
      {"bandwidth = \"weighted\"\nshares = \"tp=much\"\n", "x.toml:7:1", "much"},
      {"bandwidth = \"weighted\"\nshares = \"up=2\"\n", "x.toml:7:1", "class of traffic 'up'"},
      {"bandwidth = \"weighted\"\nshares = \"tp=2,tp=3\"\n", "x.toml:7:1", "'tp' stands twice"},
      {"priorities = \"tp,tp\"\n", "x.toml:6:1", "'tp' stands twice"},
      {"priorities = \"compute\"\n", "x.toml:6:1", "class of traffic 'compute'"},
  };
  for (const auto& [keys, place, words] : wrong) {
    const Error error = error_of(keys);
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << keys;
    EXPECT_EQ(error.place(), place) << keys << error.message();
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
  }
}

// A ring all-reduce of d bytes among n ranks sends 2 (n-1)/n d from each of them, in every group: 2 · 3/4 · 800 · 4 · 2.
TEST(Bandwidth, WhatARingSends) {
  const auto fabric = fabric::make("switch", {{"nodes", {"8", ""}}});
  schedule::CollectiveRequest request{schedule::Kind::kAllReduce, Bytes{800}, {{}, {}}, 0};
  for (std::uint32_t i = 0; i < 8; ++i) request.groups[i / 4].push_back(NodeId{i});
  const schedule::Schedule ring = schedule::build("ring", request, fabric->capabilities(), {}, "test");
  EXPECT_NEAR(sent_bytes(ring, request), 9600, 1e-9);
}

// Five micro-batches of three layers with a collective of 10 bytes each, one of 60 at the end, 30 in through I/O:
// tp 5 · 3 · 10 = 150, dp 60, load 30. The most has share 1: tp 1, dp 0.4, load 0.2; pp, which moves nothing, keeps 1.
TEST(Bandwidth, DemandCountsRunsAndSharesFollowIt) {
  placement::Program program;
  program.bodies.push_back({"layer", {collective(0, Activity::kTp)}, {}});
  program.bodies.push_back({"micro-batch", {run_body(0, 3)}, {}});
  Task load;
  load.kind = TaskKind::kInput;
  load.activity = Activity::kLoad;
  load.bytes = Bytes{30};
  program.bodies.push_back({"iteration", {load, run_body(1, 2), run_body(1, 3), collective(1, Activity::kDp)}, {}});
  program.entry = 2;
  const auto bytes = demand(program, {10, 60});
  EXPECT_EQ(bytes[at(Activity::kTp)], 150);
  EXPECT_EQ(bytes[at(Activity::kDp)], 60);
  EXPECT_EQ(bytes[at(Activity::kLoad)], 30);
  EXPECT_EQ(bytes[at(Activity::kPp)], 0);
  const ClassShares shares = shares_by_demand(bytes);
  EXPECT_EQ(shares[at(Activity::kTp)], 1);
  EXPECT_FLOAT_EQ(shares[at(Activity::kDp)], 0.4f);
  EXPECT_FLOAT_EQ(shares[at(Activity::kLoad)], 0.2f);
  EXPECT_EQ(shares[at(Activity::kPp)], 1);
}

TEST(Bandwidth, ASmallDemandIsNotForgotten) {
  std::array<double, placement::kActivities> bytes{};
  bytes[at(Activity::kTp)] = 1e12;
  bytes[at(Activity::kPp)] = 1;
  EXPECT_EQ(shares_by_demand(bytes)[at(Activity::kPp)], flow::kSmallestShare);
  EXPECT_EQ(shares_by_demand({}), kEqualShares);
}

// One job sends 6 GB (dp) and 2 GB (pp) from node 0 to node 1 over 1 GB/s, both from the start.
struct Ends {
  double dp = 0, pp = 0;
};
Ends ends(const Transport& transport) {
  PlacedJob job;
  job.name = "job";
  job.program.rows = {"cell"};
  const auto send = [&](Activity activity, double bytes) {
    job.program.requests.push_back({activity, {schedule::Kind::kBroadcast, Bytes{bytes}, {{NodeId{0}, NodeId{1}}}, 0}});
  };
  send(Activity::kDp, 6e9);
  send(Activity::kPp, 2e9);
  job.program.bodies.push_back({"iteration", {collective(0, Activity::kDp), collective(1, Activity::kPp)}, {}});
  job.transport = transport;
  Assembly assembly(
      ChosenFabric({"switch", "test", {{"nodes", {"4", ""}}, {"rate", {"8 Gb/s", ""}}, {"latency", {"0 s", ""}}}}));
  const LoweredJobs lowered = lower_jobs(assembly, {job});
  const simulate::Timeline timeline = assembly.simulate({.record = true}, {});
  Ends result;
  for (const simulate::Span& span : timeline.spans)
    if (lowered.origin[span.where.value].valid) (span.operation == 0 ? result.dp : result.pp) = span.end.to_seconds();
  return result;
}

// Alike: half each, so pp ends at 4 s. Strict, pp first: at 2 s. Weighted 1 to 3: at 0.75 GB/s after 8/3 s. By demand, 2 to
// 6: pp has a quarter and both end together at 8 s. The link is never idle, so dp ends at 8 s in any case.
TEST(Bandwidth, EachRuleDividesTheLinkItsWay) {
  Transport transport;
  EXPECT_NEAR(ends(transport).pp, 4, 1e-9);
  transport.priority.fill(1);
  transport.priority[at(Activity::kPp)] = 0;
  EXPECT_NEAR(ends(transport).pp, 2, 1e-9);
  transport = {};
  transport.bandwidth = Bandwidth::kWeighted;
  transport.share[at(Activity::kPp)] = 3;
  EXPECT_NEAR(ends(transport).pp, 8.0 / 3, 1e-9);
  EXPECT_NEAR(ends(transport).dp, 8, 1e-9);
  transport = {};
  transport.bandwidth = Bandwidth::kDemand;
  EXPECT_NEAR(ends(transport).pp, 8, 1e-6);  // a third as a single-precision number
  EXPECT_NEAR(ends(transport).dp, 8, 1e-9);
}

TEST(Bandwidth, WhatWasUsedIsDescribed) {
  placement::Program program;
  program.requests.push_back({Activity::kDp, {}});
  program.requests.push_back({Activity::kTp, {}});
  program.requests.push_back({Activity::kTp, {}});
  Transport transport;
  transport.priority[at(Activity::kDp)] = 1;
  using Values = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(described(transport, kEqualShares, program).values,
            (Values{{"rule", "strict"}, {"priority_of_tp", "0"}, {"priority_of_dp", "1"}}));
  transport.bandwidth = Bandwidth::kDemand;
  ClassShares shares = kEqualShares;
  shares[at(Activity::kDp)] = 0.25;
  EXPECT_EQ(described(transport, shares, program).values,
            (Values{{"rule", "demand"}, {"share_of_tp", "1"}, {"share_of_dp", "0.25"}}));
}

}  // namespace
}  // namespace helio::pipeline
