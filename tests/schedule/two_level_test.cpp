// SPDX-License-Identifier: Apache-2.0
#include "schedule/two_level.h"

#include <bit>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

Schedule grouped(Kind kind, Position n, Position group) {
  return build("two-level", request_on_all(kind, Bytes{1e6}, n), {},
               {{"group", {std::to_string(group), "--set algorithm.group"}}});
}

TEST(TwoLevel, RoundsAndBytesForEveryGroup) {
  // ceil(log2 m) rounds inside give away (m-1)/m of n slots, G-1 rounds across one each: n-1 slots, once for each half.
  for (const Position n : two_to_forty_and_some())
    for (Position m = 1; m <= n; ++m)
      for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllReduce}) {
        if (n % m != 0) continue;
        const Schedule schedule = grouped(kind, n, m);
        const std::uint64_t halves = kind == Kind::kAllReduce ? 2 : 1;
        const int log = std::bit_width(static_cast<std::uint32_t>(m - 1));
        EXPECT_EQ(rounds(schedule), halves * static_cast<std::uint64_t>(log + n / m - 1));
        for (Position p = 0; p < n; ++p) ASSERT_EQ(slots_sent(schedule, p), halves * static_cast<std::uint64_t>(n - 1));
      }
}

TEST(TwoLevel, EveryGroupIsProven) {
  for (const Position n : {4, 6, 12, 16, 18, 30, 36, 64})
    for (Position m = 1; m <= n; ++m)
      for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather, Kind::kAllReduce}) {
        if (n % m != 0) continue;
        const Schedule schedule = grouped(kind, n, m);
        for (const VerifyMethod method : applicable_methods(schedule)) {
          const Verification proof = verify(schedule, {.method = method});
          EXPECT_TRUE(proof.verified) << describe(schedule) << " group " << m << ": " << proof.failure;
        }
        EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 9)) << describe(schedule);
      }
}

TEST(TwoLevel, OneLevelHasItsSymmetry) {
  EXPECT_EQ(grouped(Kind::kAllReduce, 16, 16).symmetry, Symmetry::kXor);
  EXPECT_EQ(grouped(Kind::kAllReduce, 12, 12).symmetry, Symmetry::kRotation);
  EXPECT_EQ(grouped(Kind::kAllReduce, 12, 1).symmetry, Symmetry::kRotation);
  EXPECT_EQ(grouped(Kind::kAllReduce, 12, 4).symmetry, Symmetry::kNone);
}

TEST(TwoLevel, AGroupThatDoesNotDivideIsInfeasible) {
  try {
    grouped(Kind::kAllReduce, 16, 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_EQ(error.place(), "--set algorithm.group");
    EXPECT_NE(error.advice().find("1, 2, 4, 8, 16"), std::string::npos) << error.advice();
  }
}

}  // namespace
}  // namespace helio::schedule
