// SPDX-License-Identifier: Apache-2.0
#include "pipeline/traced/job_ground.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "pipeline/asking.h"
#include "pipeline/config_file.h"
#include "pipeline/iteration.h"
#include "pipeline/traced/job_paces.h"
#include "source_dir.h"

namespace helio::pipeline {
namespace {

Choice fabric(const std::string& name, const Texts& settings) {
  return {name, "test", settings_of(settings, "fabric.")};
}

std::unique_ptr<Ground> ground(const std::string& name, const Texts& settings, std::uint32_t nodes,
                               const GroundOptions& options = {}) {
  const ChosenFabric chosen(fabric(name, settings));
  return make_ground(footing_on(chosen), chosen, nodes, options);
}

// Four hosts to a rack, four uplinks of a quarter of the rate each, over all of which a flow is sprayed: a ring over two hosts of each
// rack sends one flow out of it, which takes all four uplinks whole.
const Texts kTree = {
    {"nodes", "64"}, {"k", "8"}, {"rate", "200 Gb/s"}, {"routing", "spray"}, {"oversubscription", "4"}};

// Jobs 0 to 31 of two nodes each; every second leaves, and a job of 32 gets what they had; the others leave, and another gets that.
void interleave(Ground& tree, double duty_of_first, double duty_of_second) {
  for (std::uint32_t j = 0; j < 32; ++j) ASSERT_TRUE(tree.enter(j, 2, 0.5));
  EXPECT_FALSE(tree.enter(99, 1, 0.5));
  for (std::uint32_t j = 0; j < 32; j += 2) tree.leave(j);
  ASSERT_TRUE(tree.enter(100, 32, duty_of_first));
  EXPECT_EQ(tree.free_nodes(), 0u);
  for (std::uint32_t j = 1; j < 32; j += 2) tree.leave(j);
  ASSERT_TRUE(tree.enter(101, 32, duty_of_second));
}

TEST(JobGround, WhoMeetsOthersOnLinksHasWhatTheMeanOfThemLeaves) {
  const auto tree = ground("fat-tree", kTree, 64);
  interleave(*tree, 0.25, 0.5);
  EXPECT_EQ(tree->touched(), std::vector<std::uint32_t>{100});
  EXPECT_NEAR(tree->slower(100).alone, 1, 1e-6);
  EXPECT_NEAR(tree->slower(100).now, 1.5, 1e-6);  // u + d v = 1 + 0.5
  EXPECT_NEAR(tree->slower(101).now, 1.25, 1e-6);
  tree->leave(101);
  EXPECT_EQ(tree->touched(), std::vector<std::uint32_t>{100});
  EXPECT_NEAR(tree->slower(100).now, 1, 1e-6);
}

// The engine has them side by side (examples/two_jobs_fat_tree.toml): who meets whom when is its own there, and a mean here. The time that
// others cost is told to a fifth of it.
TEST(JobGround, IsNearWhatTheEngineTellsOfTwoJobs) {
  const Experiment both = interpret(read_draft(HELIO_SOURCE_DIR "/examples/two_jobs_fat_tree.toml"));
  const std::vector<IterationResult> told = run_jobs(both);
  JobPaces paces(fabric("fat-tree", kTree), false, {});
  const auto& models = workload::job_models();
  const auto index = [&](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(models, name, &workload::JobModel::name) - models.begin());
  };
  const std::size_t vgg = index("vgg16"), bert = index("bert-large");
  const auto tree = ground("fat-tree", kTree, 64);
  interleave(*tree, paces(vgg, 32).duty, paces(bert, 32).duty);
  for (const auto& [job, model, result] : {std::tuple{100u, vgg, &told[0]}, {101u, bert, &told[1]}}) {
    const double alone = paces(model, 32).iteration_s, now = paces.iteration_s(model, 32, tree->slower(job).now);
    EXPECT_NEAR(now / alone, result->time_s / alone, 0.2 * (result->time_s / alone - 1)) << result->model;
  }
}

// Half of the time a byte takes is compute's, so an iteration of twice the bytes' time is between: what is interpolated is what is run.
TEST(JobPaces, BetweenRunsAreLinear) {
  JobPaces paces(fabric("switch", {{"nodes", "8"}, {"rate", "10 Gb/s"}, {"latency", "0 s"}}), false, {});
  JobPaces slow(fabric("switch", {{"nodes", "8"}, {"rate", "5 Gb/s"}, {"latency", "0 s"}}), false, {});
  EXPECT_NEAR(paces.iteration_s(6, 8, 2), slow(6, 8).iteration_s, 0.005 * slow(6, 8).iteration_s);
  EXPECT_EQ(paces.iteration_s(6, 8, 1), paces(6, 8).iteration_s);
  EXPECT_LT(paces.iteration_s(6, 8, 0.5), paces(6, 8).iteration_s);
  EXPECT_EQ(paces(6, 1).duty, 0);  // nobody to send to
  const std::size_t runs = paces.runs();
  paces(6, 8);
  EXPECT_EQ(paces.runs(), runs);
}

// Neighbours only: of eight nodes 0-2 and 5-7 are free, and nobody gets four.
TEST(JobGround, AnArcIsWhole) {
  const auto ring = ground("sip-ring", {{"nodes", "8"}}, 8);
  ASSERT_TRUE(ring->enter(0, 3, 0.5));
  ASSERT_TRUE(ring->enter(1, 2, 0.5));
  ASSERT_TRUE(ring->enter(2, 3, 0.5));
  ring->leave(0);
  ring->leave(2);
  EXPECT_EQ(ring->free_nodes(), 6u);
  EXPECT_FALSE(ring->enter(3, 4, 0.5));
  EXPECT_TRUE(ring->enter(3, 3, 0.5));
  const auto pieces = ground("switch", {{"nodes", "8"}}, 8);
  for (const std::uint32_t job : {0u, 1u, 2u}) ASSERT_TRUE(pieces->enter(job, job == 1 ? 2 : 3, 0.5));
  pieces->leave(0);
  pieces->leave(2);
  EXPECT_TRUE(pieces->enter(3, 4, 0.5));
  EXPECT_NEAR(pieces->slower(3).now, 1, 1e-6);  // ports are a node's own
}

// Slices: 50 ms before the first byte, none for one node; the second job of a group is masked.
TEST(JobGround, SlicesHoldLight) {
  const auto oddl = ground("oddl", {{"nodes", "64"}}, 64);
  const auto first = oddl->enter(0, 16, 0.5);
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->setup_s, 0.05, 1e-12);
  EXPECT_EQ(first->changes, 1u);
  EXPECT_FALSE(first->masked);
  EXPECT_NEAR(*oddl->lit(), 16.0 / (2 * 96), 1e-12);  // a ring has a channel for each of its nodes
  const auto alone = oddl->enter(1, 1, 0);
  ASSERT_TRUE(alone);
  EXPECT_EQ(alone->changes, 0u);
  ASSERT_TRUE(oddl->enter(2, 32, 0.5));
  oddl->leave(0);
  oddl->leave(1);
  oddl->leave(2);
  EXPECT_EQ(*oddl->lit(), 0);
  EXPECT_EQ(oddl->free_nodes(), 64u);
}

TEST(JobGround, SaysWhereJobsCannotShare) {
  EXPECT_THROW(ground("optinc", {{"nodes", "4"}}, 4), Error);
  EXPECT_THROW(ground("oddl", {{"nodes", "40"}}, 40), Error);  // groups of 32
}

}  // namespace
}  // namespace helio::pipeline
