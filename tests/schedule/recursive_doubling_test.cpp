// SPDX-License-Identifier: Apache-2.0
#include "schedule/recursive_doubling.h"

#include <bit>

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(RecursiveDoubling, APowerOfTwoExchangesTheVectorInLog2Steps) {
  // One slot is the vector; every rank sends it once in each of log2 n rounds.
  for (const Position n : {2, 4, 8, 16, 32, 64, 128}) {
    const Schedule schedule = build_case("recursive-doubling", Kind::kAllReduce, n);
    const auto log = static_cast<std::uint64_t>(std::countr_zero(static_cast<std::uint32_t>(n)));
    EXPECT_EQ(schedule.chunks, 1u);
    EXPECT_EQ(rounds(schedule), log);
    for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), log);
  }
}

TEST(RecursiveDoubling, OthersFoldTheExtraRanks) {
  // c = 2^l below n, r = n-c pairs. The odd one of a pair sends once, the even one l times and the result, all others l
  // times.
  for (const Position n : two_to_forty_and_some()) {
    if (std::has_single_bit(static_cast<std::uint32_t>(n))) continue;
    const Schedule schedule = build_case("recursive-doubling", Kind::kAllReduce, n);
    const auto l = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(n)) - 1);
    const Position extra = n - (Position{1} << l);
    EXPECT_EQ(rounds(schedule), l + 2);
    for (Position p = 0; p < n; ++p)
      EXPECT_EQ(slots_sent(schedule, p), p >= 2 * extra ? l : p % 2 == 0 ? l + 1 : 1) << describe(schedule);
  }
}

TEST(RecursiveDoubling, AllGatherDoublesWhatEachHas) {
  // From 1 block to n in ceil(log2 n) rounds; a rank receives n-1 blocks, and by symmetry sends as many.
  for (const Position n : two_to_forty_and_some()) {
    const Schedule schedule = build_case("recursive-doubling", Kind::kAllGather, n);
    EXPECT_EQ(rounds(schedule), static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(n - 1))));
    for (Position p = 0; p < n; ++p) EXPECT_EQ(slots_sent(schedule, p), static_cast<std::uint64_t>(n - 1));
  }
  // Rank 5 of 8 in the drawing receives from 4, then 7, then 1.
  const Schedule eight = build_case("recursive-doubling", Kind::kAllGather, 8);
  const Position partners[] = {4, 7, 1};
  for (std::size_t step = 0; step < 3; ++step)
    for (const Move& move : eight.phases[step].moves) EXPECT_EQ(move.destination == 5, move.source == partners[step]);
}

TEST(RecursiveDoubling, AHundredThousandRanksAreProven) {
  const Verification proof = verify(build_case("recursive-doubling", Kind::kAllReduce, 100'000));
  EXPECT_TRUE(proof.verified) << proof.failure;
  EXPECT_EQ(proof.method, "slot-by-slot");
}

}  // namespace
}  // namespace helio::schedule
