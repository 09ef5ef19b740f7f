// SPDX-License-Identifier: Apache-2.0
#include "testbed/plan.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace helio::testbed {
namespace {

std::string refusal(const Settings& settings, const std::string& algorithm, ErrorKind kind = ErrorKind::kInfeasible) {
  try {
    make_plan(settings, algorithm, {}, 1000);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.message();
  }
  return "planned";
}

// A ring of four: 6 rounds of 4 flows, a quarter of 1001 floats each: 250 or 251.
TEST(TestbedPlan, FlowsAreTheMovesOfTheSchedule) {
  const Plan plan = make_plan({}, "ring", {}, 1001);
  EXPECT_EQ(plan.nodes(), 4u);
  EXPECT_EQ(plan.rounds, 6u);
  ASSERT_EQ(plan.flows.size(), 24u);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < plan.flows.size(); ++i) {
    const Flow& flow = plan.flows[i];
    EXPECT_EQ(flow.round, i / 4);
    EXPECT_EQ(flow.destination.value, (flow.source.value + 1) % 4);
    EXPECT_EQ(flow.adds, flow.round < 3);
    EXPECT_TRUE(flow.bytes == 1000 || flow.bytes == 1004) << flow.bytes;
    bytes += flow.bytes;
  }
  EXPECT_EQ(bytes, 6u * 4004u);  // each round moves every slot once
}

TEST(TestbedPlan, RefusesWhatATestbedHasNot) {
  EXPECT_EQ(refusal({{"nodes", {"32", "test"}}}, "ring"), "a testbed has 2 to 16 nodes, and not 32");
  EXPECT_EQ(refusal({{"trx", {"2", "test"}}}, "ring"), "a testbed has one transceiver at each node");
  EXPECT_EQ(refusal({{"quantum", {"1 MB", "test"}}}, "ring"), "a testbed has no way to cut a flow that is under way");
  EXPECT_EQ(refusal({{"control", {"slotted", "test"}}}, "ring"), "a testbed has no common slots");
  EXPECT_EQ(refusal({{"policy", {"planned", "test"}}, {"clock_error", {"0 s", "default"}}}, "ring"),
            "a testbed has no schedule that is known to the nanosecond");
  EXPECT_EQ(refusal({{"clock_error", {"0 s", "test"}}}, "ring"),
            "a testbed has no processes that end a flow at a time known in advance");
  EXPECT_EQ(refusal({{"nodes", {"6", "test"}}}, "nothing", ErrorKind::kInput), "unknown algorithm 'nothing'");
}

}  // namespace
}  // namespace helio::testbed
