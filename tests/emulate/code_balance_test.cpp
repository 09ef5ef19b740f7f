// SPDX-License-Identifier: Apache-2.0
#include "emulate/code_balance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "emulate/optical_exchange.h"

namespace helio::emulate {
namespace {

CodeAverager cascade(const std::vector<std::uint32_t>& ports, int fraction = 0, Rounding rounding = Rounding::kHalfUp) {
  return CodeAverager(cascade_of({.rounding = rounding}, ports, fraction));
}

// Fractions k/N, k = 0 … N − 1, all alike. Half up gains where N is even, by the 1/2 that nothing answers: (1/2)/N. Down loses
// (0 + 1 + … + N − 1)/N² = (N − 1)/(2N). Half-even and dither take as much as they give.
TEST(CodeBalance, OneSwitch) {
  EXPECT_DOUBLE_EQ(lean_of(cascade({4})), 1.0 / 8);
  EXPECT_DOUBLE_EQ(lean_of(cascade({8})), 1.0 / 16);
  EXPECT_DOUBLE_EQ(lean_of(cascade({3})), 0);
  EXPECT_DOUBLE_EQ(lean_of(cascade({4}, 0, Rounding::kFloor)), -3.0 / 8);
  EXPECT_DOUBLE_EQ(lean_of(cascade({4}, 0, Rounding::kHalfEven)), 0);
  EXPECT_DOUBLE_EQ(lean_of(cascade({4}, 0, Rounding::kDither)), 0);
  EXPECT_EQ(balance_of(cascade({4})).servers, -1);
  EXPECT_EQ(balance_of(cascade({8})).servers, -1);
  EXPECT_EQ(balance_of(cascade({3})).servers, 0);
  EXPECT_EQ(balance_of(cascade({4}, 0, Rounding::kFloor)).servers, 3);
}

// Without a fraction both levels of 4 x 4 lean by 1/8: 16 · 2 · 1/4 = 8 servers. With a symbol of two bits the first level is exact, and
// the second rounds multiples of 1/16: 1/32, one server. Two levels of two ports with a symbol: multiples of 1/4 at the end, 1/8.
TEST(CodeBalance, Cascades) {
  EXPECT_DOUBLE_EQ(lean_of(cascade({4, 4})), 1.0 / 4);
  EXPECT_EQ(balance_of(cascade({4, 4})).servers, -8);
  EXPECT_DOUBLE_EQ(lean_of(cascade({4, 4}, 1)), 1.0 / 32);
  EXPECT_EQ(balance_of(cascade({4, 4}, 1)).servers, -1);
  EXPECT_DOUBLE_EQ(lean_of(cascade({2, 2}, 1)), 1.0 / 8);
  // 3/8 in each level, and 16 servers give 16/32 at most
  try {
    balance_of(cascade({4, 4}, 0, Rounding::kFloor));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
  }
}

TEST(CodeBalance, ServersAreSpreadEvenly) {
  const Balance eight{-8, 16};
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(eight.offset(i), i % 2 == 0 ? -0.5f : 0.0f);
  const Balance three{3, 4};
  EXPECT_EQ(three.offset(0) + three.offset(1) + three.offset(2) + three.offset(3), 1.5f);
  EXPECT_EQ(Balance{}.offset(0), 0.0f);
}

// Mean error of an averaged gradient, in codes, over normal numbers that are some codes wide.
double mean_error(const CodeAverager& averager, ExchangeOptions options) {
  constexpr std::size_t kElements = 200'000;
  options.scale = 1.0f;
  OpticalExchange exchange(averager, options);
  Random random(5);
  std::vector<std::vector<float>> rows(averager.servers(), std::vector<float>(kElements));
  for (auto& row : rows)
    for (float& g : row) g = static_cast<float>(5 * random.normal());
  std::vector<float> sum(kElements);
  exchange.all_reduce(std::vector<std::span<const float>>(rows.begin(), rows.end()), sum);
  double error = 0;
  for (std::size_t e = 0; e < kElements; ++e) {
    double exact = 0;
    for (const auto& row : rows) exact += row[e];
    error += (sum[e] - exact) / averager.servers();
  }
  return error / kElements;
}

// An element's error has a variance below 1/2 (four codes 1/48, the average's rounding 3/32, a level more, 1/4 of random codes), so that
// the mean of 200,000 is within five times √(1/400,000) = 0.008 of the lean, or of none.
TEST(CodeBalance, TakesTheLeanBack) {
  for (const CodeAverager& averager : {cascade({4}), cascade({4}, 0, Rounding::kFloor), cascade({4, 4}),
                                       cascade({4, 4}, 1), cascade({3}), cascade({6})}) {
    EXPECT_NEAR(mean_error(averager, {}), lean_of(averager), 0.008);
    EXPECT_NEAR(mean_error(averager, {.balanced = true}), 0, 0.008);
    EXPECT_NEAR(mean_error(averager, {.stochastic = true, .balanced = true}), 0, 0.008);
  }
}

// Carried errors do not undo it: a server that aims half a code lower carries what it missed of that, not the half. Over many steps with
// other gradients in each the mean of what was averaged is that of the gradients (a gradient's own mean error is a residual over the steps).
TEST(CodeBalance, HoldsWithErrorFeedback) {
  constexpr std::size_t kElements = 2000;
  constexpr int kSteps = 100;
  for (const bool balanced : {false, true}) {
    OpticalExchange exchange(cascade({4}), {.scale = 1.0f, .error_feedback = true, .balanced = balanced});
    Random random(6);
    double error = 0;
    for (int step = 0; step < kSteps; ++step) {
      std::vector<std::vector<float>> rows(4, std::vector<float>(kElements));
      for (auto& row : rows)
        for (float& g : row) g = static_cast<float>(5 * random.normal());
      std::vector<float> sum(kElements);
      exchange.all_reduce(std::vector<std::span<const float>>(rows.begin(), rows.end()), sum);
      for (std::size_t e = 0; e < kElements; ++e)
        error += (sum[e] - rows[0][e] - rows[1][e] - rows[2][e] - rows[3][e]) / 4 / kSteps / kElements;
    }
    EXPECT_NEAR(error, balanced ? 0 : 1.0 / 8, 0.008);
  }
}

// Zeros stay zeros: half a code below zero is a tie, and goes to the even side.
TEST(CodeBalance, ZerosStayZeros) {
  OpticalExchange exchange(cascade({4}), {.scale = 1.0f, .balanced = true});
  const std::vector<std::vector<float>> rows{{0, 127}, {0, 1}, {0, 0}, {0, 0}};
  std::vector<float> sum(2);
  exchange.all_reduce(std::vector<std::span<const float>>(rows.begin(), rows.end()), sum);
  EXPECT_EQ(sum[0], 0);
}

}  // namespace
}  // namespace helio::emulate
