// SPDX-License-Identifier: Apache-2.0
#include "emulate/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace helio::emulate {
namespace {

using schedule::WireFormat;

// E4M3: 1.mmm x 2^e for e = -6 .. 8 (448 = 1.75 x 2^8 is the largest), and m/8 x 2^-6 below.
TEST(Codec, E4m3HasThreeBitsOfMantissa) {
  EXPECT_EQ(nearest_e4m3(1.0), 1.0);
  EXPECT_EQ(nearest_e4m3(1.06), 1.0);     // between 1 and 1.125
  EXPECT_EQ(nearest_e4m3(1.0625), 1.0);   // a tie: to the even mantissa, 000
  EXPECT_EQ(nearest_e4m3(1.1875), 1.25);  // a tie between 1.125 (001) and 1.25 (010)
  EXPECT_EQ(nearest_e4m3(-300), -288);    // 2^8 apart by 32: 288 or 320
  EXPECT_EQ(nearest_e4m3(1e9), 448);
  EXPECT_EQ(nearest_e4m3(std::ldexp(1.0, -9)), std::ldexp(1.0, -9));  // the least subnormal
  EXPECT_EQ(nearest_e4m3(std::ldexp(1.0, -11)), 0);
}

// All 2^8 codes are their own nearest, and no number is farther away than half a step.
TEST(Codec, E4m3IsTheNearestOfAllCodes) {
  std::vector<double> codes;
  for (int e = 0; e < 16; ++e)
    for (int m = 0; m < 8; ++m)
      if (!(e == 15 && m == 7))  // NaN
        codes.push_back(e == 0 ? std::ldexp(m / 8.0, -6) : std::ldexp(1 + m / 8.0, e - 7));
  for (const double code : codes) EXPECT_EQ(nearest_e4m3(code), code);
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::ldexp(random.uniform(), static_cast<int>(random.below(18)) - 9);
    double best = 1e300;
    for (const double code : codes) best = std::min(best, std::abs(code - value));
    EXPECT_EQ(std::abs(nearest_e4m3(value) - value), best) << value;
  }
}

TEST(Codec, TopKKeepsTheLargest) {
  std::vector<double> message = {0.5, -3, 0.1, 2, -2, 0};
  codec_for(WireFormat::kTopK, 0.5)->enter(message);
  EXPECT_EQ(message, (std::vector<double>{0, -3, 0, 2, -2, 0}));
  codec_for(WireFormat::kTopK, 0.01)->enter(message);  // at least one
  EXPECT_EQ(message, (std::vector<double>{0, -3, 0, 0, 0, 0}));
}

TEST(Codec, PlainWiresHaveNone) { EXPECT_EQ(codec_for(WireFormat::kPlain, 1), nullptr); }

}  // namespace
}  // namespace helio::emulate
