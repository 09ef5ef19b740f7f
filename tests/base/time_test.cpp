// SPDX-License-Identifier: Apache-2.0
#include "base/time.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace helio {
namespace {

TEST(Time, ConvertsFromEveryNamedUnit) {
  EXPECT_EQ(Time::seconds(1).count(), static_cast<Time::Count>(1e21L));
  EXPECT_EQ(Time::milliseconds(1) * 1000, Time::seconds(1));
  EXPECT_EQ(Time::microseconds(1) * 1000, Time::milliseconds(1));
  EXPECT_EQ(Time::nanoseconds(1) * 1000, Time::microseconds(1));
  EXPECT_EQ(Time::picoseconds(1) * 1000, Time::nanoseconds(1));
  EXPECT_EQ(Time::picoseconds(1).count(), 1'000'000'000);
}

TEST(Time, RoundsToTheNearestOnBothSidesOfZero) {
  EXPECT_EQ(Time::picoseconds(0.6e-9).count(), 1);
  EXPECT_EQ(Time::picoseconds(0.4e-9).count(), 0);
  EXPECT_EQ(Time::picoseconds(-0.6e-9).count(), -1);
}

// The claim of DESIGN.md: a million rounds of 1,907.35 ps are 1.90735 ms, to 1e-9 of themselves.
TEST(Time, AMillionRoundsStayExact) {
  const Time round = Time::picoseconds(1907.35);
  Time sum;
  for (int i = 0; i < 1'000'000; ++i) sum += round;
  EXPECT_EQ(sum, round * 1'000'000);
  EXPECT_NEAR(sum.to_seconds() / 1.90735e-3, 1.0, 1e-9);
}

// The same rounds from bytes over rate, as the engine has them: 38,147 bytes at 160 Tb/s are 1,907.35 ps.
TEST(Time, ARoundFromBytesOverRateIsTheSame) {
  const Time round = Time::seconds(38'147.0 * 8 / 160e12);
  EXPECT_NEAR((round * 1'000'000).to_seconds() / 1.90735e-3, 1.0, 1e-12);
}

// The conversions by halves against the compiler's own, over all magnitudes and both signs.
TEST(Time, ConvertsAsTheLanguageDoes) {
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const double seconds = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(110)) - 60);
    const long double scaled = static_cast<long double>(seconds) * 1e21L;
    ASSERT_TRUE(Time::seconds(seconds).count() == static_cast<Time::Count>(scaled + (scaled < 0 ? -0.5L : 0.5L)))
        << seconds;

    const std::uint64_t upper = random.next(), lower = random.next();
    const Time::Count count =
        static_cast<Time::Count>(static_cast<unsigned __int128>(upper) << 64 | lower) >> random.below(120);
    ASSERT_EQ(Time::zeptoseconds(count).to_seconds(), static_cast<double>(static_cast<long double>(count) / 1e21L));
  }
}

// 10 / 3 = 3 whole periods; a negative time is rounded towards zero.
TEST(Time, DivisionCountsWholePeriods) {
  EXPECT_EQ(Time::nanoseconds(10) / Time::nanoseconds(3), 3);
  EXPECT_EQ(Time::nanoseconds(9) / Time::nanoseconds(3), 3);
  EXPECT_EQ(Time() / Time::nanoseconds(3), 0);
}

TEST(Time, OrdersAndBounds) {
  EXPECT_LT(Time(), Time::picoseconds(1));
  EXPECT_LT(Time::seconds(1e15), Time::max());
  EXPECT_TRUE(Time().is_zero());
  EXPECT_FALSE(Time::zeptoseconds(1).is_zero());
}

RC_GTEST_PROP(Time, SumsDoNotDependOnTheirOrder, (std::vector<std::int64_t> counts, std::uint64_t seed)) {
  Time forward;
  for (const std::int64_t count : counts) forward += Time::zeptoseconds(count);
  Random(seed).shuffle(counts);
  Time shuffled;
  for (const std::int64_t count : counts) shuffled += Time::zeptoseconds(count);
  RC_ASSERT(forward == shuffled);
}

RC_GTEST_PROP(Time, KRoundsAreKTimesOne, (std::int64_t count)) {
  const auto k = *rc::gen::inRange<int>(0, 1000);
  const Time one = Time::zeptoseconds(count);
  Time sum;
  for (int i = 0; i < k; ++i) sum += one;
  RC_ASSERT(sum == one * k);
  RC_ASSERT(sum - k * one == Time());
}

// A double carries 53 bits, so that seconds come back to a relative 2^-52 once the count itself is that fine (1 ps on).
RC_GTEST_PROP(Time, SecondsComeBack, ()) {
  const double seconds = *rc::gen::inRange<long long>(1, 1'000'000'000'000) * 1e-6;
  RC_ASSERT(std::abs(Time::seconds(seconds).to_seconds() - seconds) <= seconds * 0x1p-52);
}

// The clock holds 1e16 s: what is more, or no number, is refused, never wrapped.
TEST(Time, WhatTheClockDoesNotHoldIsRefused) {
  EXPECT_NO_THROW(Time::seconds(9.99e15));
  for (const double seconds : {1.01e16, 1e17, 1e300, -1e17, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(Time::seconds(seconds), Error) << seconds;
    EXPECT_THROW(Time::picoseconds(seconds * 1e12), Error) << seconds;
  }
  EXPECT_EQ(Time::seconds(3).times(5), Time::seconds(15));
  EXPECT_THROW(Time::seconds(1e10).times(10'000'000), Error);
  EXPECT_NEAR(Time::zeptoseconds(1).times(~std::uint64_t{0}).to_seconds(), 0.018446744, 1e-9);  // 2^64 zs
}

}  // namespace
}  // namespace helio
