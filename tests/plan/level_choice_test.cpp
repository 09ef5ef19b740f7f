// SPDX-License-Identifier: Apache-2.0
#include "plan/level_choice.h"

#include <gtest/gtest.h>

#include "pipeline/asking.h"
#include "plan/auto.h"

namespace helio::plan {
namespace {

using pipeline::asking;
using pipeline::Result;
using pipeline::Texts;

const Texts kWafers = {{"name", "composite"}, {"levels", "fred:variant=D/wdm-ring:nodes=16,gateways=4"}};

Result by_level(const Texts& parameters, const char* verify = "false") {
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "by-level"}, {"verify", verify}};
  return answer(asking(kWafers, keys, parameters)).front();
}

// What is asked of FRED-D and a WDM ring: within 1.10 of the bound, with waves that overlap the levels.
TEST(LevelChoice, WafersOnARingOfLightAreNearTheBound) {
  const Result found = by_level({}, "true");
  EXPECT_TRUE(found.verified);
  EXPECT_LE(found.bound_ratio, 1.10);
  EXPECT_EQ(found.built_by, "by-level");
}

// Nor slower than what a user may write, levels or waves.
TEST(LevelChoice, IsNotSlowerThanByHand) {
  const double found = by_level({}).time_s;
  for (const Texts& hand : {Texts{{"waves", "1"}}, Texts{{"levels", "auto/auto"}}, Texts{{"levels", "ring/ring"}},
                            Texts{{"levels", "in-fabric/wrht"}, {"waves", "4"}}})
    EXPECT_LE(found, by_level(hand).time_s * (1 + 1e-9));
}

// Where the highest level has room and the lowest binds, both are busy: a share of the vector is added up above first. What is asked of switches
// in a torus (1.10 of the bound) and under an averager (1.15).
TEST(LevelChoice, NoLevelWaitsForTheOther) {
  const auto ratio = [](const char* levels) {
    const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "by-level"}, {"verify", "true"}};
    const Result result = answer(asking({{"name", "composite"}, {"levels", levels}}, keys)).front();
    EXPECT_TRUE(result.verified);
    return result.bound_ratio;
  };
  EXPECT_LE(ratio("switch:nodes=8/torus:dimensions=4x4"), 1.10);
  EXPECT_LE(ratio("switch:nodes=8/torus:dimensions=8x8"), 1.10);
  EXPECT_LE(ratio("switch:nodes=8/optinc:nodes=16"), 1.15);
  EXPECT_LE(ratio("switch:nodes=8/optinc:nodes=16,rate=100 Gb/s"), 1.15);
}

// A mesh of 3 x 3 takes 8.89 ms for each half of an all-reduce of 1 GB (its corners have two links: 8/9 GB over 800 Gb/s), a ring of four such units
// with all nodes as gateways 15 ms (1.5 GB over 800 Gb/s): together 15 where waves of one level pass those of the other, which those of a
// fitted schedule do, since each move waits for its own data only.
TEST(LevelChoice, LevelsThatShowTheirLinksAreFitted) {
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "by-level"}, {"verify", "true"}};
  const Result result =
      answer(asking({{"name", "composite"}, {"levels", "mesh:dimensions=3x3/ring:nodes=4,gateways=all"}}, keys))
          .front();
  EXPECT_TRUE(result.verified);
  EXPECT_LE(result.bound_ratio, 1.05);
}

// Of many nodes a run takes long: within a hundredth of the bound the search ends, and says of whom it did not try that there was nothing to gain.
TEST(LevelChoice, ManyNodesEndNearTheBound) {
  const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 GB"}, {"algorithm", "auto"}};
  const Result result =
      answer(asking({{"name", "composite"}, {"levels", "fred:variant=D/wdm-ring:nodes=256"}}, keys)).front();
  EXPECT_EQ(result.algorithm, "by-level");
  EXPECT_LT(result.bound_ratio, 1.01);
  EXPECT_FALSE(was_cut(result));
  for (const pipeline::Alternative& other : result.alternatives)
    if (other.algorithm == "two-level") {
      EXPECT_EQ(other.verdict, "skipped");
      EXPECT_NE(other.reason.find("no algorithm can be"), std::string::npos);
    }
}

// A level that joins one instance only has nothing to do, and nobody is asked to name an algorithm for it.
TEST(LevelChoice, ALevelOfOneUnitIsNoLevel) {
  const auto seconds = [](const char* levels) {
    const Texts keys = {{"kind", "all-reduce"}, {"bytes", "1 MB"}, {"algorithm", "auto"}};
    return answer(asking({{"name", "composite"}, {"levels", levels}}, keys)).front().time_s;
  };
  EXPECT_EQ(seconds("switch:nodes=4/ring:nodes=1"), seconds("switch:nodes=4"));
}

}  // namespace
}  // namespace helio::plan
