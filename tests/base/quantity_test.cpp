// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <type_traits>

namespace helio {
namespace {

// Nothing converts silently: neither between quantities nor to and from a number.
static_assert(!std::is_convertible_v<Bytes, BitRate>);
static_assert(!std::is_convertible_v<double, Bytes>);
static_assert(!std::is_convertible_v<Bytes, double>);

TEST(Quantity, AddsAndScalesInItsUnit) {
  EXPECT_EQ((Bytes{3} + Bytes{4}).value, 7.0);
  EXPECT_EQ((Bytes{3} - Bytes{4}).value, -1.0);
  EXPECT_EQ((2 * Bytes{3} * 2).value, 12.0);
  EXPECT_EQ(Bytes{3} / Bytes{4}, 0.75);
  Bytes sum{1};
  sum += Bytes{2};
  EXPECT_EQ(sum, Bytes{3});
  EXPECT_LT(Bytes{1}, Bytes{2});
  EXPECT_EQ(Bytes{}.value, 0.0);
}

// 100 MB over 1,024 ranks is no whole byte, and nothing is lost by that.
TEST(Quantity, AChunkNeedNotBeAWholeByte) { EXPECT_EQ((Bytes{100e6} / 1024).value, 97'656.25); }

// 1 MB = 8e6 bits at 40 Gb/s = 4e10 bits per second: 200 us.
TEST(SecondsAt, IsBitsOverRate) { EXPECT_DOUBLE_EQ(seconds_at(Bytes{1e6}, BitRate{40e9}), 200e-6); }

RC_GTEST_PROP(SecondsAt, FallsWithTheRateAndGrowsWithTheBytes, ()) {
  const Bytes bytes{static_cast<double>(*rc::gen::inRange<long long>(1, 1'000'000'000'000))};
  const BitRate rate{static_cast<double>(*rc::gen::inRange<long long>(1, 1'000'000'000'000))};
  RC_ASSERT(seconds_at(bytes, rate * 2) < seconds_at(bytes, rate));
  RC_ASSERT(seconds_at(bytes * 2, rate) > seconds_at(bytes, rate));
}

}  // namespace
}  // namespace helio
