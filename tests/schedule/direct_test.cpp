// SPDX-License-Identifier: Apache-2.0
#include "schedule/direct.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(Direct, OneRoundAndOneBlockForEveryOther) {
  for (const Position n : two_to_forty_and_some())
    for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllToAll, Kind::kAllReduce}) {
      const std::uint64_t walks = kind == Kind::kAllReduce ? 2 : 1;
      const Schedule schedule = build_case("direct", kind, n);
      EXPECT_EQ(rounds(schedule), walks);
      for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), walks * static_cast<std::uint64_t>(n - 1));
    }
}

TEST(Direct, AStarAroundTheRoot) {
  const Schedule broadcast = build_case("direct", Kind::kBroadcast, 9, 4);
  const Schedule reduce = build_case("direct", Kind::kReduce, 9, 4);
  EXPECT_EQ(rounds(broadcast), 1u);
  EXPECT_EQ(rounds(reduce), 1u);
  for (Position p = 0; p < 9; ++p) {
    EXPECT_EQ(slots_sent(broadcast, p), p == 4 ? 8u : 0u);
    EXPECT_EQ(slots_sent(reduce, p), p == 4 ? 0u : 1u);
  }
}

TEST(Direct, AMillionMovesAreProven) {
  // n = 1024: 1024*1023 moves, followed for one slot of the one orbit; all-to-all moves slots and needs all of them.
  EXPECT_EQ(verify(build_case("direct", Kind::kReduceScatter, 1024)).method, "one-slot-per-orbit");
  const Verification exchange = verify(build_case("direct", Kind::kAllToAll, 1024));
  EXPECT_EQ(exchange.method, "fingerprints");
  EXPECT_TRUE(exchange.verified) << exchange.failure;
}

TEST(Direct, MoreMovesThanMemoryAreInfeasible) {
  try {
    build_case("direct", Kind::kAllReduce, 100'000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "");  // who called knows it
  }
  EXPECT_NO_THROW(build_case("direct", Kind::kReduce, 100'000));
}

}  // namespace
}  // namespace helio::schedule
