// SPDX-License-Identifier: Apache-2.0
#include "emulate/codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "emulate/wire_error.h"
#include "schedule/algorithm.h"

namespace helio::emulate {
namespace {

using schedule::WireFormat;

// E4M3: 1.mmm x 2^e for e = -6 .. 8 (448 = 1.75 x 2^8 is the largest), and m/8 x 2^-6 below.
TEST(Codec, E4m3HasThreeBitsOfMantissa) {
  EXPECT_EQ(nearest_e4m3(1.0), 1.0);
  EXPECT_EQ(nearest_e4m3(1.06), 1.0);       // between 1 and 1.125
  EXPECT_EQ(nearest_e4m3(1.0625), 1.0);     // a tie: to the even mantissa, 000
  EXPECT_EQ(nearest_e4m3(1.1875), 1.25);    // a tie between 1.125 (001) and 1.25 (010)
  EXPECT_EQ(nearest_e4m3(-300), -288);      // 2^8 apart by 32: 288 or 320
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

// A switch that adds four contributions of which each keeps half: where a contribution was dropped its value is missing, no more.
TEST(Codec, TopKLosesWhatItDrops) {
  schedule::Capabilities able;
  able.nodes = 4;
  able.reduces = able.multicasts = true;
  const auto request = schedule::request_on_all(schedule::Kind::kAllReduce, {1}, 4);
  const schedule::Schedule schedule = schedule::build("in-fabric", request, able);
  // Everything kept: exact
  EXPECT_EQ(wire_error(schedule, *codec_for(WireFormat::kTopK, 1)), 0);
  // The smaller half of |normal| has second moment m = E[x² ; |x| < q], q = 0.6745 the median: 1 − 2 q φ(q) − … =
  // 1/2 − 2 q φ(q) with φ(0.6745) = 0.3178: 0.0713. The error of a sum over its size: sqrt(m) = 0.267.
  EXPECT_NEAR(*wire_error(schedule, *codec_for(WireFormat::kTopK, 0.5), 1, 20000), std::sqrt(0.5 - 2 * 0.67449 * 0.31778), 0.01);
}

// A number spread evenly in its binade errs by step/sqrt(12), step = 2^-3 of the binade's start: relative to numbers between 1
// and 2, mean square (0.125²/12) / (7/3): 2.4 %. A ring of 4 rounds every partial sum again, so it errs more than one passage.
TEST(Codec, Fp8ErrsByAFewPercentAndMoreOnARing) {
  schedule::Capabilities able;
  able.nodes = 4;
  able.reduces = able.multicasts = true;
  const auto request = schedule::request_on_all(schedule::Kind::kAllReduce, {1}, 4);
  const auto codec = codec_for(WireFormat::kFp8, 1);
  const double once = *wire_error(schedule::build("in-fabric", request, able), *codec);
  const double ring = *wire_error(schedule::build("ring", request, able), *codec);
  EXPECT_GT(once, 0.024);
  EXPECT_LT(once, 0.024 * std::sqrt(2) * 1.5);  // twice: on entering and on leaving
  EXPECT_GT(ring, once);
}

TEST(Codec, PlainWiresHaveNone) { EXPECT_EQ(codec_for(WireFormat::kPlain, 1), nullptr); }

}  // namespace
}  // namespace helio::emulate
