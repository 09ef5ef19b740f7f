// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_slice_planner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/error.h"
#include "schedule/algorithm.h"

namespace helio::fabric {
namespace {

JobRequest wanting(std::uint32_t nodes, const char* algorithm) {
  JobRequest request;
  request.name = algorithm;
  request.wanted = nodes;
  request.algorithm = algorithm;
  return request;
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

// papers/oddl.md 7, item 4: halving-doubling on one plane is refused with a reason; 2-D is accepted.
TEST(SlicePlanner, HalvingDoublingDoesNotFitOnOnePlane) {
  SlicePlanner planner({}, {.two_level = false, .more_planes = false, .split = false});
  const SliceReport no = planner.admit(wanting(1024, "halving-doubling"));
  EXPECT_FALSE(no.done);
  EXPECT_FALSE(no.runs);
  EXPECT_TRUE(mentions(no.reason, "192 channels")) << no.reason;
  EXPECT_EQ(planner.free_nodes(), 1024u);
  const SliceReport yes = planner.admit(wanting(1024, "two-level"));
  EXPECT_TRUE(yes.done);
  EXPECT_EQ(yes.channels, 64u);
  EXPECT_EQ(yes.planes, 1u);
  EXPECT_EQ(yes.isolation, Isolation::kPhysical);
}

// In the order of papers/oddl.md 2.2. Two planes hold 6 orders of a class, which is what halving-doubling needs (192 = 6 x 32).
TEST(SlicePlanner, WhatIsTriedWhenItDoesNotFit) {
  SlicePlanner first({32, 32, 96, 2});
  const SliceReport instead = first.admit(wanting(1024, "halving-doubling"));
  EXPECT_EQ(instead.algorithm, "two-level");
  EXPECT_EQ(instead.channels, 64u);
  EXPECT_EQ(instead.attempts.size(), 1u);

  SlicePlanner second({32, 32, 96, 2}, {.two_level = false});
  const SliceReport planes = second.admit(wanting(1024, "halving-doubling"));
  EXPECT_EQ(planes.algorithm, "halving-doubling");
  EXPECT_EQ(planes.channels, 192u);
  EXPECT_EQ(planes.planes, 2u);
  EXPECT_EQ(planes.parts, 1u);

  // One plane holds 3 of its 6 sets of 32 (the own group, and 5 distances): the first three, the last three on the way there and
  // back, and the first three again. Two changes in a run; the next run begins as this one ended. 50 ms each.
  SlicePlanner third({}, {.two_level = false});
  const SliceReport parts = third.admit(wanting(1024, "halving-doubling"));
  EXPECT_EQ(parts.parts, 3u);
  EXPECT_EQ(parts.channels, 96u);
  EXPECT_EQ(parts.wss_changes_per_run, 2u);
  EXPECT_EQ(parts.wss_time_per_run, Time::milliseconds(100));
  EXPECT_EQ(parts.wss_changes, 1u);
  EXPECT_EQ(parts.wss_time, Time::milliseconds(50));

  // Any-to-any in one step needs 1024 channels, and 11 planes of 96 have 1056: 33 orders of a class for 32 nodes.
  SlicePlanner fourth(OddlGeometry{});
  JobRequest all = wanting(1024, "direct");
  all.kind = schedule::Kind::kAllToAll;
  const SliceReport no = fourth.admit(all);
  EXPECT_FALSE(no.done);
  EXPECT_TRUE(mentions(no.reason, "1024 channels")) << no.reason;
  SlicePlanner fifth({32, 32, 96, 11});
  EXPECT_EQ(fifth.admit(all).planes, 11u);
}

// Four groups of 4. A job of 8 takes two whole groups, one of 6 the others; one of 2 fills the hole of the last.
TEST(SlicePlanner, WholeGroupsFirst) {
  SlicePlanner planner({4, 4, 12, 1});
  const SliceReport a = planner.admit(wanting(8, "ring")), b = planner.admit(wanting(6, "ring"));
  EXPECT_EQ(a.nodes.back(), NodeId{7});
  EXPECT_EQ(b.nodes.front(), NodeId{8});
  EXPECT_EQ(a.isolation, Isolation::kPhysical);
  EXPECT_EQ(b.isolation, Isolation::kPhysical);
  EXPECT_DOUBLE_EQ(b.fragmented, 2.0 / 16);  // nodes 14 and 15 lie in a group that is in use
  const SliceReport c = planner.admit(wanting(2, "ring"));
  EXPECT_EQ(c.isolation, Isolation::kMasked);
  EXPECT_EQ(planner.isolation(b.job), Isolation::kMasked);
  EXPECT_EQ(planner.isolation(a.job), Isolation::kPhysical);
  EXPECT_DOUBLE_EQ(c.fragmented, 0);
  const SliceReport d = planner.admit(wanting(1, "ring"));
  EXPECT_FALSE(d.done);
  EXPECT_TRUE(mentions(d.reason, "wants 1 nodes and 0 are free")) << d.reason;
}

// A failed node is replaced in its own group; when none is free anywhere the job goes on with one less.
TEST(SlicePlanner, FailuresGetASpareOrShrinkTheJob) {
  SlicePlanner planner({2, 4, 12, 1});
  const SliceReport job = planner.admit(wanting(3, "ring"));
  const SliceReport replaced = planner.fail(NodeId{1});
  EXPECT_EQ(replaced.nodes, (std::vector<NodeId>{{0}, {3}, {2}}));
  EXPECT_EQ(replaced.wss_changes, 1u);
  planner.admit(wanting(4, "ring"));
  const SliceReport less = planner.fail(NodeId{2});
  EXPECT_TRUE(less.runs);
  EXPECT_EQ(less.nodes, (std::vector<NodeId>{{0}, {3}}));
  EXPECT_EQ(planner.fail(NodeId{3}).nodes, (std::vector<NodeId>{{0}}));
  const SliceReport over = planner.fail(NodeId{0});
  EXPECT_FALSE(over.runs);
  EXPECT_TRUE(mentions(over.reason, "cannot go on")) << over.reason;
  EXPECT_THROW(planner.leave(job.job), Error);
}

TEST(SlicePlanner, GrowthThatDoesNotFitChangesNothing) {
  SlicePlanner planner({2, 4, 4, 1}, {.split = false});
  const SliceReport job = planner.admit(wanting(4, "direct"));
  ASSERT_TRUE(job.done);
  const Slice before = planner.slice(job.job);
  // Eight nodes any-to-any are 8 destinations on 4 channels
  const SliceReport no = planner.grow(job.job, 4);
  EXPECT_FALSE(no.done);
  EXPECT_TRUE(no.runs);
  EXPECT_TRUE(mentions(no.reason, "8 channels")) << no.reason;
  EXPECT_EQ(planner.slice(job.job), before);
  EXPECT_EQ(planner.nodes(job.job).size(), 4u);
}

ErrorKind kind_of(const std::function<void()>& act, std::string& message) {
  try {
    act();
  } catch (const Error& error) {
    message = error.message();
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::kUsage;
}

TEST(SlicePlanner, BadInputSaysWhy) {
  SlicePlanner planner({2, 4, 12, 1});
  JobRequest named = wanting(0, "ring");
  named.nodes = {{1}, {2}};
  planner.admit(named);
  std::string why;
  EXPECT_EQ(kind_of([&] { planner.admit(named); }, why), ErrorKind::kInput);
  EXPECT_TRUE(mentions(why, "overlap")) << why;
  EXPECT_EQ(kind_of([&] { planner.admit(wanting(9, "ring")); }, why), ErrorKind::kInfeasible);
  EXPECT_TRUE(mentions(why, "9 nodes are more than the fabric's 8")) << why;
  EXPECT_EQ(kind_of([&] { planner.admit(wanting(0, "ring")); }, why), ErrorKind::kInput);
  EXPECT_EQ(kind_of([&] { planner.admit(wanting(2, "rign")); }, why), ErrorKind::kInput);
  named.nodes = {{8}};
  EXPECT_EQ(kind_of([&] { planner.admit(named); }, why), ErrorKind::kInput);
  named.nodes = {{5}, {5}};
  EXPECT_EQ(kind_of([&] { planner.admit(named); }, why), ErrorKind::kInput);
  planner.fail(NodeId{5});
  named.nodes = {{5}, {6}};
  EXPECT_EQ(kind_of([&] { planner.admit(named); }, why), ErrorKind::kInput);
  EXPECT_EQ(kind_of([&] { planner.fail(NodeId{5}); }, why), ErrorKind::kInput);
  EXPECT_EQ(kind_of([&] { planner.grow(JobId{77}, 1); }, why), ErrorKind::kInput);
  EXPECT_EQ(kind_of([&] { SlicePlanner({}, {.wss = Time::milliseconds(-1)}); }, why), ErrorKind::kInput);
}

// Everything that a planner knows of a job.
struct Held {
  Slice slice;
  std::vector<NodeId> nodes;
  friend bool operator==(const Held&, const Held&) = default;
};

std::map<JobId, Held> held(const SlicePlanner& planner) {
  std::map<JobId, Held> all;
  for (const JobId id : planner.jobs()) all[id] = {planner.slice(id), planner.nodes(id)};
  return all;
}

// Nobody shares a light or a node, the table agrees with the slices, and every light leads to a node of its own job.
void hold_invariants(const SlicePlanner& planner, const std::set<NodeId>& failed) {
  const OddlGeometry& geometry = planner.geometry();
  std::map<std::uint32_t, JobId> lights;
  std::map<NodeId, JobId> nodes;
  for (const auto& [id, job] : held(planner)) {
    for (const NodeId node : job.nodes) RC_ASSERT(nodes.insert({node, id}).second && !failed.contains(node));
    std::set<std::pair<std::uint32_t, std::uint32_t>> in_part;
    for (const SliceEntry& entry : job.slice) {
      const std::uint32_t light = geometry.light(entry.source_group, entry.plane, entry.channel);
      RC_ASSERT(lights.insert({light, id}).first->second == id);
      RC_ASSERT(in_part.insert({light, entry.part}).second);
      const NodeId end = geometry.reached(entry.destination_group, entry.channel);
      RC_ASSERT(std::count(job.nodes.begin(), job.nodes.end(), end) == 1);
    }
  }
  for (std::uint32_t g = 0; g < geometry.groups; ++g)
    for (std::uint32_t p = 0; p < geometry.planes; ++p)
      for (std::uint32_t c = 0; c < geometry.channels; ++c) {
        const auto at = lights.find(geometry.light(g, p, c));
        RC_ASSERT(planner.holder(g, p, c) == (at == lights.end() ? JobId{} : at->second));
      }
  RC_ASSERT(planner.free_nodes() == geometry.nodes() - nodes.size() - failed.size());
  for (const auto& [id, job] : held(planner)) {
    bool shared = false;
    for (const NodeId node : job.nodes)
      for (const auto& [other, owner] : nodes)
        shared |= owner != id && geometry.group_of(other) == geometry.group_of(node);
    RC_ASSERT(planner.isolation(id) == (shared ? Isolation::kMasked : Isolation::kPhysical));
  }
}

// Every pair of a job's own collective finds its light in some part.
void hold_reach(const SlicePlanner& planner, const SliceReport& report, const char* algorithm) {
  if (report.algorithm != algorithm || algorithm == std::string("two-level"))
    return;  // its groups are the planner's choice
  const OddlGeometry& geometry = planner.geometry();
  schedule::Capabilities anywhere;
  anywhere.nodes = report.nodes.size();
  const auto ranks = static_cast<schedule::Position>(report.nodes.size());
  const auto schedule =
      schedule::build(algorithm, schedule::request_on_all(schedule::Kind::kAllReduce, Bytes{1}, ranks), anywhere);
  std::set<std::pair<std::uint32_t, NodeId>> reached;
  for (const SliceEntry& entry : planner.slice(report.job))
    reached.insert({entry.source_group, geometry.reached(entry.destination_group, entry.channel)});
  for (const NodePair& pair : pairs_of(schedule, report.nodes))
    RC_ASSERT(reached.contains({geometry.group_of(pair.from), pair.to}));
}

// papers/oddl.md 7, item 8, on any sequence of arrivals, growth, failures and departures.
RC_GTEST_PROP(SlicePlanner, OthersAreNeverTouchedAndAllIsDarkInTheEnd, ()) {
  const std::uint32_t n = *rc::gen::inRange(1u, 6u);
  const OddlGeometry geometry{*rc::gen::inRange(1u, 6u), n, *rc::gen::inRange(n, 4 * n + 1), *rc::gen::inRange(1u, 3u)};
  const SliceOptions options{Time::milliseconds(50), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                             *rc::gen::arbitrary<bool>()};
  SlicePlanner planner(geometry, options);
  std::set<NodeId> failed;
  std::map<JobId, const char*> algorithms;
  for (int step = *rc::gen::inRange(1, 25); step > 0; --step) {
    const std::map<JobId, Held> before = held(planner);
    const std::vector<JobId> jobs = planner.jobs();
    SliceReport report;
    switch (jobs.empty() ? 0 : *rc::gen::inRange(0, 5)) {
      case 0:
      case 1: {
        const char* algorithm =
            *rc::gen::element("ring", "halving-doubling", "two-level", "direct", "bidirectional-ring");
        report = planner.admit(wanting(*rc::gen::inRange(1u, geometry.nodes() + 1), algorithm));
        if (report.done) algorithms[report.job] = algorithm;
        break;
      }
      case 2: report = planner.grow(*rc::gen::elementOf(jobs), *rc::gen::inRange(0u, 5u)); break;
      case 3: {
        const NodeId node{*rc::gen::inRange(0u, geometry.nodes())};
        if (!failed.insert(node).second) break;
        report = planner.fail(node);
        break;
      }
      case 4:
        report.job = *rc::gen::elementOf(jobs);
        planner.leave(report.job);
        break;
    }
    const std::map<JobId, Held> after = held(planner);
    for (const auto& [id, job] : before)
      if (id != report.job) RC_ASSERT(after.at(id) == job);
    for (const auto& [id, job] : after)
      if (id != report.job) RC_ASSERT(before.contains(id));
    if (!report.done && report.runs) RC_ASSERT(after.at(report.job) == before.at(report.job));
    if (report.done && report.runs) hold_reach(planner, report, algorithms.at(report.job));
    if (!report.done && !report.reason.empty()) RC_ASSERT(report.runs == after.contains(report.job));
    hold_invariants(planner, failed);
  }
  for (const JobId id : planner.jobs()) planner.leave(id);
  hold_invariants(planner, failed);
  RC_ASSERT(planner.free_nodes() == geometry.nodes() - failed.size());
  RC_ASSERT(planner.fragmented() == 0.0);
}

}  // namespace
}  // namespace helio::fabric
