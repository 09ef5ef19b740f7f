// SPDX-License-Identifier: Apache-2.0
#include "emulate/wire_error.h"

#include <gtest/gtest.h>

#include <cmath>

#include "schedule/algorithm.h"

namespace helio::emulate {
namespace {

using schedule::WireFormat;

// A switch that adds four contributions of which each keeps half: where a contribution was dropped its value is missing, no more.
TEST(WireError, TopKLosesWhatItDrops) {
  schedule::Capabilities able;
  able.nodes = 4;
  able.reduces = able.multicasts = true;
  const auto request = schedule::request_on_all(schedule::Kind::kAllReduce, {1}, 4);
  const schedule::Schedule schedule = schedule::build("in-fabric", request, able);
  // Everything kept: exact
  EXPECT_EQ(wire_error(schedule, *codec_for(WireFormat::kTopK, 1)), 0);
  // The smaller half of |normal| has second moment m = E[x² ; |x| < q], q = 0.6745 the median: 1 − 2 q φ(q) − … =
  // 1/2 − 2 q φ(q) with φ(0.6745) = 0.3178: 0.0713. The error of a sum over its size: sqrt(m) = 0.267.
  EXPECT_NEAR(*wire_error(schedule, *codec_for(WireFormat::kTopK, 0.5), 1, 20000),
              std::sqrt(0.5 - 2 * 0.67449 * 0.31778), 0.01);
}

// A number spread evenly in its binade errs by step/sqrt(12), step = 2^-3 of the binade's start: relative to numbers between 1
// and 2, mean square (0.125²/12) / (7/3): 2.4 %. A ring of 4 rounds every partial sum again, so it errs more than one passage.
TEST(WireError, Fp8ErrsByAFewPercentAndMoreOnARing) {
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

// 20 ranks, one slot of 256 elements: buffers 2·20·256, and the move touches 20 sources and 20 destinations twice.
TEST(WireError, WhatIsTooLongIsNotComputed) {
  schedule::Capabilities able;
  able.nodes = 20;
  able.reduces = able.multicasts = true;
  const auto request = schedule::request_on_all(schedule::Kind::kAllReduce, {1}, 20);
  const schedule::Schedule schedule = schedule::build("in-fabric", request, able);
  const auto codec = codec_for(WireFormat::kFp8, 1);
  EXPECT_FALSE(wire_error(schedule, *codec, 1, 256, 2 * 20 * 256 + 2 * 40 * 256 - 1).has_value());
  EXPECT_TRUE(wire_error(schedule, *codec, 1, 256, 2 * 20 * 256 + 2 * 40 * 256).has_value());
}

// Steps of 16-bit codes are 32767 / 127 = 258 times finer than those of 8-bit codes, of the same largest number; so is their error.
TEST(WireError, AveragedCodesErrByTheirStep) {
  schedule::Capabilities able;
  able.nodes = 4;
  able.reduces = able.multicasts = true;
  const auto request = schedule::request_on_all(schedule::Kind::kAllReduce, {1}, 4);
  const schedule::Schedule schedule = schedule::build("in-fabric", request, able);
  const AveragingCascade eight{{.bits = 8}}, sixteen{{.bits = 16}};
  const double coarse = *wire_error(schedule, CodeAverager(eight)), fine = *wire_error(schedule, CodeAverager(sixteen));
  EXPECT_NEAR(coarse / fine, 32767.0 / 127, 0.05 * 258);
  EXPECT_FALSE(wire_error(schedule, CodeAverager(eight), 1, 4096, 100).has_value());
}

}  // namespace
}  // namespace helio::emulate
