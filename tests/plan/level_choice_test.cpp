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

}  // namespace
}  // namespace helio::plan
