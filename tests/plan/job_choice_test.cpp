// SPDX-License-Identifier: Apache-2.0
#include "plan/job_choice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "pipeline/config_file.h"

namespace helio::plan {
namespace {

using pipeline::ClassChoice;
using pipeline::Experiment;
using pipeline::IterationResult;
using placement::Activity;

Experiment read(const std::string& fabric, const std::string& keys) {
  return pipeline::interpret(pipeline::parse_draft(
      "[fabric]\n" + fabric + "\n[[job]]\nmodel = \"gpt\"\nmicro_batches = 2\n" + keys +
          "\n[job.model_parameters]\nlayers = 4\nhidden = 256\nheads = 8\nsequence = 64\nvocabulary = 1024\n",
      "test.toml"));
}

// A host that takes no time: nobody waits but for the device and the network.
constexpr const char* kNoHost =
    "compute.forward_launch = \"0 s\"\ncompute.backward_launch = \"0 s\"\ncompute.exchange_launch = \"0 s\"\n"
    "compute.exchange_skew = \"0 s\"\n";

IterationResult searched(const std::string& fabric, const std::string& keys) {
  return answer_jobs(read(fabric, keys)).front();
}

const ClassChoice& choice_for(const IterationResult& result, Activity activity) {
  return *std::ranges::find(result.choices, activity, &ClassChoice::activity);
}

double seconds(const IterationResult& result, Activity activity) {
  return result.exposed_s[static_cast<std::size_t>(activity)];
}

// Rows of a torus are rings of n = 4 with links both ways. One ring takes 2 (n-1)/n d/r of each link in one direction; half of the vector
// each way takes half of that.
TEST(JobChoice, UsesBothDirectionsOfATorus) {
  const IterationResult result =
      searched("name = \"torus\"\ndimensions = \"4x4\"\nrate = \"10 Gb/s\"\nlatency = \"0 s\"", "tp = 4\ndp = 4");
  const ClassChoice& tp = choice_for(result, Activity::kTp);
  EXPECT_EQ(tp.usual, "ring");
  EXPECT_EQ(tp.ranks, 4u);
  EXPECT_EQ(tp.groups, 4u);  // of all cells together
  EXPECT_NEAR(*tp.usual_time_s / tp.time_s, 2, 1e-9);
  EXPECT_LT(result.time_s, *result.usual_time_s);
  EXPECT_NE(result.search.find("instead of the usual"), std::string::npos) << result.search;
}

// Two groups of n = 4 on a full mesh. A ring sends all that a rank sends, X, over one of its 7 links. Straight ahead there are 3, and over the
// 4 to the other group, which hand on what comes, X takes two hops. A share of 3/5 straight loads all alike: X/5 on each. Pieces are whole,
// and handed on when they have come, which takes a tenth at most.
TEST(JobChoice, TakesEveryLinkOfAFullMesh) {
  const IterationResult result =
      searched("name = \"full-mesh\"\nnodes = 8\nrate = \"10 Gb/s\"\nlatency = \"0 s\"", "tp = 4\ndp = 2");
  const ClassChoice& tp = choice_for(result, Activity::kTp);
  EXPECT_GT(*tp.usual_time_s / tp.time_s, 0.9 * 5);
  EXPECT_LE(*tp.usual_time_s / tp.time_s, 5 * (1 + 1e-9));
  EXPECT_EQ(tp.algorithm, "fitted");
}

// Four nodes in a row of a ring of light with w = 8 wavelengths: the node at the end of a row sends 2 (n-1)/n d over one side, so no
// schedule takes less than a ring on all 8; retuning costs nothing.
TEST(JobChoice, TakesAllWavelengths) {
  const IterationResult result = searched(
      "name = \"wdm-ring\"\nnodes = 16\nwavelengths = 8\nrate = \"1 Gb/s\"\nretune = \"0 s\"", "tp = 4\ndp = 4");
  const ClassChoice& tp = choice_for(result, Activity::kTp);
  EXPECT_NEAR(*tp.usual_time_s / tp.time_s, 8, 1e-6) << tp.algorithm;
  EXPECT_EQ(result.wavelengths_used, 8u);
}

// wdm-planned for a class by name; on another fabric there is no light to plan.
TEST(JobChoice, PlansLightByName) {
  const std::string ring = "name = \"wdm-ring\"\nnodes = 8\nwavelengths = 8\nrate = \"1 Gb/s\"";
  const std::string planned = "dp = 8\nalgorithm.dp = \"wdm-planned\"";
  EXPECT_LE(searched(ring, planned).time_s, searched(ring, "dp = 8\nalgorithm = \"usual\"").time_s);
  try {
    searched("name = \"switch\"\nnodes = 8", planned);
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.message().find("light on a ring"), std::string::npos);
  }
}

// What is named is not searched; "usual" is what the corridor does by itself, and tells of no search.
TEST(JobChoice, WhatIsNamedStays) {
  const std::string torus = "name = \"torus\"\ndimensions = \"4x4\"";
  const IterationResult fixed = searched(torus, "tp = 4\nalgorithm.tp = \"ring\"");
  for (const ClassChoice& choice : fixed.choices) EXPECT_NE(choice.activity, Activity::kTp);
  EXPECT_NE(std::ranges::find(fixed.algorithms, std::pair<std::string, std::string>("tp", "ring")),
            fixed.algorithms.end());
  const IterationResult usual = searched(torus, "tp = 4\nalgorithm = \"usual\"");
  EXPECT_TRUE(usual.search.empty());
  EXPECT_TRUE(usual.choices.empty());
  EXPECT_EQ(usual.time, pipeline::run_jobs(read(torus, "tp = 4")).front().time);
}

// Wafers of a switch of 4, joined by a switch: tensor parallelism is waited for on the wafer and nowhere else, replicas between wafers and
// nowhere else; every link belongs to a level.
TEST(JobChoice, LevelsTellWhoWaitsWhere) {
  for (const char* word : {"auto", "usual"}) {
    const IterationResult result = searched(
        "name = \"composite\"\nlevels = \"switch:name=wafer,nodes=4/switch:name=between,nodes=4,rate=10 Gb/s\"",
        std::string("tp = 4\ndp = 4\noverlap = false\n") + kNoHost + "algorithm = \"" + word + "\"");
    ASSERT_EQ(result.levels.size(), 2u);
    const pipeline::LevelResult &wafer = result.levels[0], &between = result.levels[1];
    EXPECT_EQ(wafer.name, "wafer");
    EXPECT_EQ(wafer.instances, 4u);
    EXPECT_EQ(between.instances, 1u);
    EXPECT_EQ(between.units, 4u);
    const auto tp = static_cast<std::size_t>(Activity::kTp), dp = static_cast<std::size_t>(Activity::kDp);
    EXPECT_GT(wafer.exposed_s[tp], 0);
    EXPECT_NEAR(wafer.exposed_s[tp], seconds(result, Activity::kTp), 1e-9 * result.time_s);
    EXPECT_EQ(between.exposed_s[tp], 0);
    EXPECT_NEAR(between.exposed_s[dp], seconds(result, Activity::kDp), 1e-9 * result.time_s);
    EXPECT_EQ(wafer.exposed_s[dp], 0);
    EXPECT_NEAR(wafer.traffic.value + between.traffic.value, result.traffic.value, 1e-9 * result.traffic.value);
    EXPECT_GT(between.most, 0);
    EXPECT_EQ(between.busiest.rfind("between", 0), 0u) << between.busiest;
    EXPECT_FALSE(between.loss_db);
    // All of the network is on one level or the other
    EXPECT_NEAR(wafer.energy.value + between.energy.value, result.network_energy.total().value,
                1e-9 * result.network_energy.total().value);
  }
}

// Replicas on two levels: eight in two wafers reduce below, between and below again. Both levels are waited for, and together they are
// all of the class, since nothing is launched for gradients.
TEST(JobChoice, StagesOfOneExchangeAreDividedAmongLevels) {
  const IterationResult result =
      searched("name = \"composite\"\nlevels = \"switch:nodes=4/switch:nodes=2,rate=10 Gb/s\"",
               "dp = 8\noverlap = false\nalgorithm = \"usual\"");
  const auto dp = static_cast<std::size_t>(Activity::kDp);
  EXPECT_GT(result.levels[0].exposed_s[dp], 0);
  EXPECT_GT(result.levels[1].exposed_s[dp], 0);
  EXPECT_NEAR(result.levels[0].exposed_s[dp] + result.levels[1].exposed_s[dp], result.exposed_s[dp],
              1e-6 * result.exposed_s[dp]);
}

// An averager above: gradients are averaged, tensor and pipeline parallelism stay below. What cannot go over it is refused with what would.
TEST(JobChoice, AnAveragerCarriesGradients) {
  const std::string fabric = "name = \"composite\"\nlevels = \"switch:nodes=4/optinc:nodes=4\"";
  const IterationResult result = searched(fabric, "tp = 2\npp = 2\ndp = 4\nrank_order = \"tp,pp,dp\"");
  const auto dp = static_cast<std::size_t>(Activity::kDp), pp = static_cast<std::size_t>(Activity::kPp);
  EXPECT_GT(result.levels[1].exposed_s[dp], 0);
  EXPECT_EQ(result.levels[1].exposed_s[pp], 0);
  const auto advice = [&](const std::string& keys) -> std::string {
    try {
      searched(fabric, keys);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
      return std::string(error.what()) + error.advice().text();
    }
    ADD_FAILURE() << "carried";
    return "";
  };
  EXPECT_NE(advice("tp = 4\ndp = 4\nzero = 1").find("job.zero=0"), std::string::npos);
  EXPECT_NE(advice("tp = 2\npp = 2\ndp = 4\nrank_order = \"tp,dp,pp\"").find("job.rank_order=tp,pp,dp"),
            std::string::npos);
}

// Random jobs on random fabrics: never slower than the usual algorithms, whose time is told; levels never tell more than there was.
RC_GTEST_PROP(JobChoice, IsNeverSlowerThanUsual, ()) {
  const int tp = 1 << *rc::gen::inRange(0, 3), pp = 1 << *rc::gen::inRange(0, 2);
  const std::string fabric = *rc::gen::element<std::string>(
      "name = \"torus\"\ndimensions = \"4x4\"", "name = \"ring\"\nnodes = 16", "name = \"switch\"\nnodes = 16",
      "name = \"cluster\"\nnodes = 16", "name = \"fat-tree\"\nnodes = 16",
      "name = \"wdm-ring\"\nnodes = 16\nwavelengths = 4", "name = \"fred\"\nnodes = 16",
      "name = \"composite\"\nlevels = \"switch:nodes=4/torus:dimensions=2x2\"",
      "name = \"composite\"\nlevels = \"ring:nodes=4/wdm-ring:nodes=4,wavelengths=4\"");
  const std::string keys = "tp = " + std::to_string(tp) + "\npp = " + std::to_string(pp) +
                           "\nzero = " + std::to_string(*rc::gen::inRange(0, 4)) + "\nrank_order = \"" +
                           *rc::gen::element<std::string>("tp,dp,pp", "tp,pp,dp") + "\"\nbucket = \"1 MB\"\nnpus = 16";
  std::optional<IterationResult> usual;
  try {
    usual = pipeline::run_jobs(read(fabric, keys)).front();
  } catch (const Error& error) {
    RC_PRE(error.kind() != ErrorKind::kInfeasible);
    throw;
  }
  const IterationResult found = searched(fabric, keys);
  RC_ASSERT(found.time <= usual->time);
  RC_ASSERT(found.usual_time_s == usual->time_s);
  const double sum = std::accumulate(found.exposed_s.begin(), found.exposed_s.end(), 0.0);
  RC_ASSERT(std::abs(sum - found.time_s) <= 1e-9 * found.time_s);
  for (std::size_t a = 0; a < found.exposed_s.size(); ++a) {
    double levels = 0;
    for (const pipeline::LevelResult& level : found.levels) levels += level.exposed_s[a];
    RC_ASSERT(levels <= found.exposed_s[a] * (1 + 1e-9) + 1e-15);
  }
}

}  // namespace
}  // namespace helio::plan
