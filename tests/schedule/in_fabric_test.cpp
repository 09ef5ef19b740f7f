// SPDX-License-Identifier: Apache-2.0
#include "schedule/in_fabric.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(InFabric, EveryRankSendsItsVectorOnce) {
  // One slot of M, one round, whatever n is.
  for (const Position n : two_to_forty_and_some()) {
    for (const Kind kind : {Kind::kAllReduce, Kind::kReduce}) {
      const Schedule schedule = build_case("in-fabric", kind, n);
      EXPECT_EQ(schedule.chunks, 1u);
      EXPECT_EQ(rounds(schedule), 1u);
      for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), 1u);
    }
    const Schedule broadcast = build_case("in-fabric", Kind::kBroadcast, n, n - 1);
    for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(broadcast, p), p == n - 1 ? 1u : 0u);
  }
}

TEST(InFabric, BlocksTakeTurns) {
  // n slots of M/n in n rounds: every rank contributes to each block of a reduce-scatter, and sends one of an all-gather.
  const Schedule scatter = build_case("in-fabric", Kind::kReduceScatter, 6);
  const Schedule gather = build_case("in-fabric", Kind::kAllGather, 6);
  EXPECT_EQ(rounds(scatter), 6u);
  EXPECT_EQ(rounds(gather), 6u);
  for (Position p = 0; p < 6; ++p) {
    EXPECT_EQ(slots_sent(scatter, p), 6u);
    EXPECT_EQ(slots_sent(gather, p), 1u);
  }
}

TEST(InFabric, AFabricThatLacksTheAbilityIsInfeasible) {
  struct Row {
    Kind kind;
    bool needs_reduces, needs_multicasts;
  };
  const Row rows[] = {{Kind::kAllReduce, true, true}, {Kind::kReduce, true, false}, {Kind::kReduceScatter, true, false},
                      {Kind::kBroadcast, false, true}, {Kind::kAllGather, false, true}};
  for (const Row& row : rows)
    for (const bool reduces : {false, true})
      for (const bool multicasts : {false, true}) {
        Capabilities fabric;
        fabric.reduces = reduces;
        fabric.multicasts = multicasts;
        const bool able = (reduces || !row.needs_reduces) && (multicasts || !row.needs_multicasts);
        try {
          build("in-fabric", request_on_all(row.kind, Bytes{8}, 4), fabric);
          EXPECT_TRUE(able) << name_of(row.kind);
        } catch (const Error& error) {
          EXPECT_FALSE(able) << name_of(row.kind);
          EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
          EXPECT_NE(error.advice().find("--remedy endpoint"), std::string::npos);
          EXPECT_EQ(error.place(), "");  // who called knows it
        }
      }
}

}  // namespace
}  // namespace helio::schedule
