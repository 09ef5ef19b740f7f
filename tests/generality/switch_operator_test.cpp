// SPDX-License-Identifier: Apache-2.0
// Proof (b): two groups want to be reduced inside one switch that has one operator. One is refused and remedied.
//
//       0 1 2 3   4 5 6 7          asked          [ 0-3 in the switch ] [ 4-7 refused ]
//       │ │ │ │   │ │ │ │          block          [ 0-3 in the switch ] ─▶ [ 4-7 in the switch ]
//      ┌┴─┴─┴─┴───┴─┴─┴─┴┐         endpoint       [ 0-3 in the switch ]
//      │   one operator  │                        [ 4-7, ring among the endpoints ]
//      └─────────────────┘
//
// M = 4 MB at 8 Gb/s (1 GB/s) is 4 ms. With L = two hops:
//   in the switch   every rank sends M once and receives M once, both at once:  L + M/R
//   ring, n = 4     2(n-1) = 6 steps of a quarter:                              6 (L + M/4R)
//   block           two waves:                                                  2 (L + M/R)
//   endpoint        both at once, on links of their own:                        max of the first two
#include <gtest/gtest.h>

#include "base/error.h"
#include "generality/proving.h"
#include "pipeline/asking.h"
#include "schedule/algorithm.h"

namespace helio::generality {
namespace {

using pipeline::Result;

// Asks with and without leaping, which must not matter.
Result ask(const char* latency, const char* reducers, const char* remedy) {
  pipeline::Texts fabric{
      {"name", "switch"}, {"nodes", "8"}, {"rate", "8 Gb/s"}, {"latency", latency}, {"reducers", reducers}};
  pipeline::Texts keys{{"kind", "all-reduce"},
                       {"bytes", "4 MB"},
                       {"algorithm", "in-fabric"},
                       {"groups", "0,1,2,3;4,5,6,7"},
                       {"verify", "true"}};
  if (*remedy) keys["remedy"] = remedy;
  pipeline::RunOptions walking;
  walking.jump = false;
  const Result result = pipeline::answer(fabric, keys);
  EXPECT_EQ(result.time, pipeline::answer(fabric, keys, {}, walking).time);
  EXPECT_TRUE(result.verified);
  return result;
}

TEST(SwitchOperator, TwoOperatorsCarryBothGroupsAtOnce) {
  // L = 2 * 0.5 ms: 1 + 4 = 5 ms, and nothing had to be tried.
  const Result r = ask("500 us", "2", "");
  expect_time(r.time, 5e-3);
  EXPECT_TRUE(r.attempts.empty());
}

TEST(SwitchOperator, OneOperatorRefusesTheSecondGroup) {
  const auto fabric = fabric::make("switch", settings({{"nodes", "8"}, {"reducers", "1"}}));
  const schedule::CollectiveRequest request{schedule::Kind::kAllReduce, Bytes{4e6}, {nodes(0, 4), nodes(4, 4)}, 0};
  const schedule::Schedule s = schedule::build("in-fabric", request, fabric->capabilities());
  flow::Program program;
  const auto carrier = fabric->install(program);
  const fabric::LowerResult result = carrier->lower(s, request, {});
  ASSERT_TRUE(std::holds_alternative<fabric::Refusal>(result));
  EXPECT_EQ(std::get<fabric::Refusal>(result).groups, std::vector<std::uint32_t>{1});
  EXPECT_THROW(ask("500 us", "1", ""), Error);
}

TEST(SwitchOperator, BlockLetsTheSecondGroupWait) {
  // 2 * (1 + 4) = 10 ms.
  const Result r = ask("500 us", "1", "block");
  expect_time(r.time, 10e-3);
  ASSERT_EQ(r.attempts.size(), 2u);
  EXPECT_EQ(r.attempts[0].remedy, "none");
  EXPECT_EQ(r.attempts[0].outcome, "refused");
  EXPECT_EQ(r.attempts[1].remedy, "block");
  EXPECT_EQ(r.attempts[1].outcome, "carried");
  EXPECT_EQ(r.steps, 2u);
}

TEST(SwitchOperator, EndpointLetsTheSecondGroupReduceByItself) {
  // 6 * (1 + 1) = 12 ms, while the first group needs 5 ms. What cannot be done is recorded on the way.
  const Result r = ask("500 us", "1", "middle,endpoint");
  expect_time(r.time, 12e-3);
  ASSERT_EQ(r.attempts.size(), 3u);
  EXPECT_EQ(r.attempts[1].remedy, "middle");
  EXPECT_EQ(r.attempts[1].outcome, "not applicable");
  EXPECT_EQ(r.attempts[2].remedy, "endpoint");
  EXPECT_EQ(r.attempts[2].outcome, "carried");
  EXPECT_EQ(r.algorithm, "in-fabric+ring");
}

TEST(SwitchOperator, WhichRemedyIsBetterDependsOnTheLatency) {
  // L = 0.2 ms: block 2 * (0.2 + 4) = 8.4 ms, endpoint 6 * (0.2 + 1) = 7.2 ms: now the endpoints win.
  expect_time(ask("100 us", "1", "block").time, 8.4e-3);
  expect_time(ask("100 us", "1", "endpoint").time, 7.2e-3);
}

TEST(SwitchOperator, TwoCollectivesThatDoNotKnowOfEachOtherMeetOnTheOperator) {
  // Each group lowered alone is accepted, and both take operator 0. Side by side in one program the conflict is found;
  // run all the same, the channel makes them take turns: 2 * 5 ms.
  const auto fabric =
      fabric::make("switch", settings({{"nodes", "8"}, {"rate", "8 Gb/s"}, {"latency", "500 us"}, {"reducers", "1"}}));
  flow::Program program;
  const auto carrier = fabric->install(program);
  flow::Template both{"both", {}, {}};
  for (const std::uint32_t first : {0u, 4u}) {
    const schedule::CollectiveRequest request{schedule::Kind::kAllReduce, Bytes{4e6}, {nodes(first, 4)}, 0};
    const auto lowered = carrier->lower(schedule::build("in-fabric", request, fabric->capabilities()), request, {});
    flow::Operation call;
    call.kind = flow::OperationKind::kCall;
    call.callee = std::get<fabric::Lowered>(lowered).entry;
    both.operations.push_back(call);
  }
  program.entry = program.add(both);
  const flow::ConflictReport report = flow::find_conflict(program, program.entry);
  ASSERT_TRUE(report.found);
  EXPECT_EQ(program.resources.name(report.conflict.channel), "switch operator 0");
  expect_time(timed(program).end, 10e-3);
}

}  // namespace
}  // namespace helio::generality
