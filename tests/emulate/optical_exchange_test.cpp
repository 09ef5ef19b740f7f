// SPDX-License-Identifier: Apache-2.0
#include "emulate/optical_exchange.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace helio::emulate {
namespace {

CodeAverager four(int bits = 8) { return CodeAverager(AveragingCascade{{.servers = 4, .bits = bits}}); }

using Buffers = std::vector<std::vector<float>>;

Buffers normal(std::size_t servers, std::size_t elements, std::uint64_t seed = 1) {
  Random random(seed);
  Buffers buffers(servers, std::vector<float>(elements));
  for (auto& buffer : buffers)
    for (float& g : buffer) g = static_cast<float>(random.normal());
  return buffers;
}

std::vector<float> reduced(OpticalExchange& exchange, const Buffers& buffers, ExchangeReport* report = nullptr) {
  const std::vector<std::span<const float>> inputs(buffers.begin(), buffers.end());
  std::vector<float> sum(buffers.front().size());
  const ExchangeReport seen = exchange.all_reduce(inputs, sum);
  if (report) *report = seen;
  return sum;
}

std::string complaint(OpticalExchange& exchange, const Buffers& buffers) {
  try {
    reduced(exchange, buffers);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message();
  }
  return "";
}

// Scale 1/127 · 127 = 1: codes of whole numbers are exact, and their sums too where four divides them.
TEST(OpticalExchange, WholeNumbersWhoseSumFourDividesAreExact) {
  OpticalExchange exchange(four());
  const Buffers buffers{{127, -127, 10, 0, 1}, {1, -1, 20, 0, -1}, {-4, 0, 30, 0, 2}, {0, 0, -20, 0, -2}};
  EXPECT_EQ(reduced(exchange, buffers), (std::vector<float>{124, -128, 40, 0, 0}));
}

// 1 + 0 + 0 + 0 = a quarter of a step on average, rounded half up to 0; 2 + 0 + 0 + 0 is half a step: up, to 1, so 4 in the sum.
TEST(OpticalExchange, TheAverageIsRoundedToAStep) {
  OpticalExchange exchange(four());
  EXPECT_EQ(reduced(exchange, {{127, 1, 2}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}}), (std::vector<float>{128, 0, 4}));
}

// The error of a sum is that of four codes (each uniform within half a step: variance s²/12) and of the average's rounding: T mod 4
// is 0, 1, 2, 3, so that half-up errs by 0, -1, +2, +1 quarters: times 4, with the mean square (0 + 1 + 4 + 1)/4 s² = 1.5 s².
// Together 4/12 + 1.5 = 11/6 s². The exact sum has variance 4, s is the largest of 4·4096 normals over 127.
TEST(OpticalExchange, TheErrorIsThatOfRounding) {
  ExchangeOptions options;
  options.measure = true;
  OpticalExchange exchange(four(), options);
  const Buffers buffers = normal(4, 4096);
  float largest = 0;
  for (const auto& buffer : buffers)
    for (const float g : buffer) largest = std::max(largest, std::abs(g));
  ExchangeReport report;
  reduced(exchange, buffers, &report);
  EXPECT_EQ(report.wrong, 0u);
  EXPECT_EQ(report.mean_error_codes, 0);
  EXPECT_NEAR(report.relative_error, largest / 127 * std::sqrt(11.0 / 6) / 2, 0.05 * report.relative_error);
}

TEST(OpticalExchange, EveryBucketHasItsScale) {
  ExchangeOptions options;
  options.bucket = 2;
  OpticalExchange exchange(four(), options);
  // The second bucket's largest is 127e-6: 4e-6 and 8e-6 are whole steps of it, and none of the first bucket's
  const Buffers buffers{{127, 0, 127e-6f, 4e-6f}, {1, 0, 1e-6f, 0}, {0, 0, 0, 4e-6f}, {0, 0, 0, 0}};
  ExchangeReport report;
  const std::vector<float> sum = reduced(exchange, buffers, &report);
  EXPECT_EQ(report.buckets, 2u);
  EXPECT_FLOAT_EQ(sum[2], 128e-6f);
  EXPECT_FLOAT_EQ(sum[3], 8e-6f);
}

TEST(OpticalExchange, AGivenScaleClipsAndCounts) {
  ExchangeOptions options;
  options.scale = 1.0f;
  OpticalExchange exchange(four(), options);
  ExchangeReport report;
  const std::vector<float> sum = reduced(exchange, {{200, -300}, {127, -128}, {0, 0}, {1, 0}}, &report);
  EXPECT_EQ(report.clipped, 2u);                    // 200 and -300
  EXPECT_EQ(sum, (std::vector<float>{256, -256}));  // (127 + 127 + 0 + 1)/4 = 63.75 → 64; -256/4 = -64
}

TEST(OpticalExchange, FewerServersThanPorts) {
  OpticalExchange exchange(four());
  EXPECT_EQ(reduced(exchange, {{127, 8}, {1, 0}, {0, 4}}), (std::vector<float>{128, 12}));
}

TEST(OpticalExchange, AllZeroStaysZero) {
  OpticalExchange exchange(four());
  EXPECT_EQ(reduced(exchange, Buffers(4, std::vector<float>(3, 0.0f))), std::vector<float>(3, 0.0f));
}

// A constant 0.3 of a step on every server is rounded to nothing. Stochastic: 0.3 on average, and then the average is rounded too:
// by dither, so that nothing is lost in the mean. With error feedback it comes through too.
TEST(OpticalExchange, StochasticRoundingAndErrorFeedbackKeepSmallGradients) {
  const std::size_t elements = 20000;
  Buffers buffers(4, std::vector<float>(elements, 0.3f));
  for (auto& buffer : buffers) buffer[0] = 127;
  const auto mean_of = [&](const std::vector<float>& sum) {
    double total = 0;
    for (std::size_t e = 1; e < elements; ++e) total += sum[e];
    return total / static_cast<double>(elements - 1);
  };
  OpticalExchange plain(four());
  EXPECT_EQ(mean_of(reduced(plain, buffers)), 0);

  ExchangeOptions stochastic;
  stochastic.stochastic = true;
  OpticalExchange random(CodeAverager(AveragingCascade{{.rounding = Rounding::kDither}}), stochastic);
  // Sum of four codes: variance 4 · .21; dither of the average: at most 4²/4. Over 20,000 elements below 0.016: five of them
  EXPECT_NEAR(mean_of(reduced(random, buffers)), 1.2, 0.08);

  ExchangeOptions feedback;
  feedback.error_feedback = true;
  OpticalExchange remembers(four(), feedback);
  double total = 0;
  for (int step = 0; step < 10; ++step) total += mean_of(reduced(remembers, buffers));
  EXPECT_NEAR(
      total, 12,
      4.0);  // ten steps of 1.2, less what is still carried: at most half a step on each of four servers, times two
}

TEST(OpticalExchange, ResumesWithStepAndResiduals) {
  ExchangeOptions options;
  options.stochastic = options.error_feedback = true;
  OpticalExchange straight(four(), options), resumed(four(), options), stepless(four(), options);
  reduced(straight, normal(4, 500, 1));
  resumed.resume(straight.step(), straight.residuals());
  stepless.resume(0, straight.residuals());
  const std::vector<float> second = reduced(straight, normal(4, 500, 2));
  EXPECT_EQ(reduced(resumed, normal(4, 500, 2)), second);
  EXPECT_NE(reduced(stepless, normal(4, 500, 2)), second);
}

TEST(OpticalExchange, NumbersThatAreNotFiniteAreNamed) {
  OpticalExchange exchange(four());
  Buffers buffers = normal(4, 100);
  buffers[2][41] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(complaint(exchange, buffers).find("server 2 is nan at element 41"), std::string::npos)
      << complaint(exchange, buffers);
  buffers[2][41] = 0;
  buffers[3][99] = -std::numeric_limits<float>::infinity();
  EXPECT_NE(complaint(exchange, buffers).find("server 3 is -inf at element 99"), std::string::npos)
      << complaint(exchange, buffers);
}

TEST(OpticalExchange, ScalesThatOverflowAreRefused) {
  OpticalExchange exchange(four());
  const float most = std::numeric_limits<float>::max();
  EXPECT_NE(complaint(exchange, Buffers(4, std::vector<float>{most})).find("overflows"), std::string::npos);
  for (const float scale : {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    ExchangeOptions options;
    options.scale = scale;
    EXPECT_THROW(OpticalExchange(four(), options), Error);
  }
  ExchangeOptions options;
  options.bucket = 0;
  EXPECT_THROW(OpticalExchange(four(), options), Error);
}

// 127 / 1e-37 is beyond float32: the bucket counts as zeros, and its neighbour is none the worse.
TEST(OpticalExchange, ABucketBelowAllScalesCountsAsZeros) {
  ExchangeOptions options;
  options.bucket = 2;
  OpticalExchange exchange(four(), options);
  const Buffers buffers(4, std::vector<float>{1e-44f, -1e-37f, 1.0f, -1.0f});
  EXPECT_EQ(reduced(exchange, buffers), (std::vector<float>{0, 0, 4, -4}));
}

// Zero at 150 leaves 105 steps upwards, so that a bucket of 105 has steps of 1: 105 and −105 are codes 255 and 45, and all is exact as in
// WholeNumbersWhoseSumFourDividesAreExact. A port without a server sends code 150.
TEST(OpticalExchange, AnotherCodeMayStandForZero) {
  ExchangeOptions options;
  options.zero = 150;
  OpticalExchange exchange(four(), options);
  const Buffers buffers{{105, -105, 10, 0, 1}, {1, -1, 20, 0, -1}, {-2, -2, 30, 0, 4}};
  EXPECT_EQ(reduced(exchange, buffers), (std::vector<float>{104, -108, 60, 0, 4}));
}

// A refused step changes nothing: the carried errors are those of the step before.
TEST(OpticalExchange, ARefusedStepLosesNothing) {
  ExchangeOptions options;
  options.error_feedback = true;
  options.bucket = 2;
  OpticalExchange disturbed(four(), options), calm(four(), options);
  const Buffers good = normal(4, 6), next = normal(4, 6, 2);
  Buffers bad = good;
  bad[3][5] = std::nanf("");
  reduced(disturbed, good);
  reduced(calm, good);
  EXPECT_NE(complaint(disturbed, bad), "");
  EXPECT_EQ(reduced(disturbed, next), reduced(calm, next));
}

TEST(OpticalCombiner, CarriesAScheduleOfInFabricSums) {
  schedule::Schedule schedule;
  schedule.kind = schedule::Kind::kAllReduce;
  schedule.ranks = 4;
  schedule.sets = {{0, 1, 2, 3}};
  schedule::Phase phase;
  phase.moves.push_back({.source = ~0, .destination = ~0});
  schedule.phases.push_back(phase);
  Buffers buffers{{127, 8}, {1, 0}, {0, 4}, {0, 0}};
  execute(schedule, buffers, OpticalCombiner(four()));
  for (const auto& buffer : buffers) EXPECT_EQ(buffer, (std::vector<float>{128, 12}));
}

}  // namespace
}  // namespace helio::emulate
