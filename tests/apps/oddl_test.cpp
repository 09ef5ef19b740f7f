// SPDX-License-Identifier: Apache-2.0
// ODDL's control plane as a user meets it: whatever is lost or late, every flow ends (papers/oddl.md 7, item 6).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/refused.h"
#include "apps/running.h"

namespace helio::apps {
namespace {

const std::string kFlows = "collective all-to-all --fabric oddl --nodes 16 --bytes 1048576B --algorithm direct --json ";

// Sources that hear nothing suspect a living arbiter and turn to another; both may be asked for a while.
TEST(OddlControlPlane, LossAndJitterOnlyCostTime) {
  const double plain = nlohmann::json::parse(run(kFlows).out)["time_s"];
  for (const char* trouble :
       {"--set fabric.loss=0.4 --set fabric.seed=2", "--set fabric.loss=0.6", "--set fabric.loss=0.9",
        "--set fabric.jitter=20us", "--set fabric.jitter=1ms", "--set fabric.loss=0.5 --set fabric.jitter=10us",
        "--set fabric.loss=0.3 --set fabric.dead_arbiter=0 --set fabric.dead_at=10us"}) {
    const Said said = run(kFlows + trouble);
    ASSERT_EQ(said.code, 0) << trouble << "\n" << said.err;
    EXPECT_GT(nlohmann::json::parse(said.out)["time_s"], plain) << trouble;
  }
}

TEST(OddlControlPlane, WhatCouldNeverEndIsRefused) {
  expect_refused(kFlows + "--set fabric.dead_arbiter=0 --set fabric.silences=0", 3,
                 {"fabric.silences", "dead arbiter"});
}

TEST(OddlControlPlane, WhatNothingWouldReadIsRefused) {
  expect_refused(kFlows + "--set fabric.slot=2us", 3, {"fabric.slot", "slotted"});
  expect_refused(kFlows + "--set fabric.dead_at=2us", 3, {"fabric.dead_at"});
  expect_refused(kFlows + "--set fabric.seed=2", 3, {"fabric.seed", "loss or jitter"});
  expect_refused(kFlows + "--set fabric.policy=planned --set fabric.clock_error=1s", 3,
                 {"fabric.clock_error", "planned"});
}

}  // namespace
}  // namespace helio::apps
