// SPDX-License-Identifier: Apache-2.0
#include "studies/optinc/paired.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace helio::studies::optinc_study {
namespace {

// NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: upper critical values, probability 0.975, to three digits.
TEST(Paired, QuantilesAreThoseOfTheTable) {
  for (const auto& [degrees, t] : {std::pair{1, 12.706},
                                   {2, 4.303},
                                   {3, 3.182},
                                   {4, 2.776},
                                   {5, 2.571},
                                   {9, 2.262},
                                   {10, 2.228},
                                   {29, 2.045},
                                   {30, 2.042},
                                   {100, 1.984}})
    EXPECT_NEAR(student_quantile(0.95, degrees), t, 5.1e-4) << degrees;
}

// One degree of freedom is Cauchy's distribution, P(|T| <= t) = 2/π atan t, 1/2 at t = 1; two have t/√(2 + t²), 1/2 at t = √(2/3).
TEST(Paired, SmallDegreesHaveClosedForms) {
  EXPECT_NEAR(student_within(1, 1), 0.5, 1e-12);
  EXPECT_NEAR(student_within(3, 1), 2 / std::numbers::pi * std::atan(3.0), 1e-12);
  EXPECT_NEAR(student_within(std::sqrt(2.0 / 3), 2), 0.5, 1e-12);
  EXPECT_NEAR(student_within(5, 2), 5 / std::sqrt(27.0), 1e-12);
  // Three: 2/π (θ + sin θ cos θ), θ = atan(t/√3); t = √3: 2/π (π/4 + 1/2)
  EXPECT_NEAR(student_within(std::sqrt(3.0), 3), 0.5 + 1 / std::numbers::pi, 1e-12);
  // Four: sin θ (1 + cos² θ / 2), t = 2: θ = π/4, √½ · 5/4
  EXPECT_NEAR(student_within(2, 4), 1.25 / std::sqrt(2.0), 1e-12);
  EXPECT_EQ(student_within(0, 7), 0);
  EXPECT_NEAR(student_within(student_quantile(0.95, 17), 17), 0.95, 1e-12);
}

// Five differences 0.1, -0.2, 0.3, 0, -0.4: mean -0.04; squares of what is left, 0.14² + 0.16² + 0.34² + 0.04² + 0.36² = 0.0196 + 0.0256 +
// 0.1156 + 0.0016 + 0.1296 = 0.292; s² = 0.073, s/√5 = √0.0146 = 0.120830; times t(0.975, 4) = 2.776445: 0.335479.
TEST(Paired, AnExampleByHand) {
  const PairedDifference found = paired(std::array{0.1, -0.2, 0.3, 0.0, -0.4});
  EXPECT_EQ(found.pairs, 5);
  EXPECT_NEAR(found.mean, -0.04, 1e-12);
  EXPECT_NEAR(found.half_width, 0.335479, 2e-6);
  EXPECT_NEAR(found.low(), -0.375479, 2e-6);
  EXPECT_NEAR(found.high(), 0.295479, 2e-6);
}

// Two differences 1 and 3: mean 2, s = √2, s/√2 = 1, t(0.975, 1) = tan(0.475 π) = 12.7062.
TEST(Paired, TwoPairsSayLittle) {
  const PairedDifference found = paired(std::array{1.0, 3.0});
  EXPECT_NEAR(found.mean, 2, 1e-12);
  EXPECT_NEAR(found.half_width, std::tan(0.475 * std::numbers::pi), 1e-9);
}

// Differences that are all alike leave no doubt.
TEST(Paired, NoScatterNoWidth) {
  const PairedDifference found = paired(std::array{0.25, 0.25, 0.25});
  EXPECT_EQ(found.mean, 0.25);
  EXPECT_EQ(found.half_width, 0);
}

}  // namespace
}  // namespace helio::studies::optinc_study
