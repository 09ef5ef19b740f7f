// SPDX-License-Identifier: Apache-2.0
#include "photonics/mzi.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "base/random.h"

namespace helio::photonics {
namespace {

constexpr double kPi = std::numbers::pi;

Eigen::Matrix2cd as_matrix(const Transfer& t) { return Eigen::Matrix2cd{{t.t00, t.t01}, {t.t10, t.t11}}; }

Eigen::Matrix2cd coupler(double angle) {
  const Complex through = std::cos(angle), across = Complex(0, std::sin(angle));
  return Eigen::Matrix2cd{{through, across}, {across, through}};
}
Eigen::Matrix2cd phases(double upper, double lower) {
  return Eigen::Matrix2cd{{std::polar(1.0, upper), 0}, {0, std::polar(1.0, lower)}};
}

TEST(Mzi, TheSpecsTransfer) {
  // papers/optinc.md, 7.1: [[e^{i phi} cos t, -sin t], [e^{i phi} sin t, cos t]]; t = π/6, φ = π/2: √3/2, 1/2 and i.
  const Transfer t = transfer(kPi / 6, kPi / 2);
  EXPECT_NEAR(std::abs(t.t00 - Complex(0, std::sqrt(3) / 2)), 0, 1e-15);
  EXPECT_NEAR(std::abs(t.t01 - -0.5), 0, 1e-15);
  EXPECT_NEAR(std::abs(t.t10 - Complex(0, 0.5)), 0, 1e-15);
  EXPECT_NEAR(std::abs(t.t11 - std::sqrt(3) / 2), 0, 1e-15);
}

RC_GTEST_PROP(Mzi, IsTheProductOfItsParts, (std::uint64_t seed)) {
  // The picture of mzi.h, part by part, from right to left; loss L dB of power is a factor 10^(-L/20) of the field.
  Random random(seed);
  const double theta = 6 * random.uniform() - 3, phi = 6 * random.uniform() - 3;
  const MziFlaw flaw{random.uniform() - 0.5, random.uniform() - 0.5, 3 * random.uniform()};
  const Eigen::Matrix2cd parts = coupler(-kPi / 4 - flaw.second_splitter) * phases(theta, -theta) *
                                 coupler(kPi / 4 + flaw.first_splitter) * phases(phi, 0) *
                                 std::pow(10.0, -flaw.loss_db / 20);
  RC_ASSERT((as_matrix(transfer(theta, phi, flaw)) - parts).norm() < 1e-14);
  const Eigen::Matrix2cd drawn = coupler(-kPi / 4) * phases(theta, -theta) * coupler(kPi / 4) * phases(phi, 0);
  RC_ASSERT((as_matrix(transfer(theta, phi)) - drawn).norm() < 1e-14);
  RC_ASSERT(transfer(theta, phi, MziFlaw{}) == transfer(theta, phi));
}

TEST(Mzi, SignsAreExactlyReal) {
  for (const double phi : {0.0, kPi, -kPi}) {
    const Transfer t = transfer(0.7, phi);
    EXPECT_EQ(t.t00.imag(), 0);
    EXPECT_EQ(t.t10.imag(), 0);
    EXPECT_EQ(t.t00.real(), (phi == 0 ? 1 : -1) * std::cos(0.7));
  }
}

// |T₀₀|² is quadratic around its ends, which lie at θ = 0 and π/2: both are points of the scan.
RC_GTEST_PROP(Mzi, ImperfectSplittersLimitItsReach, (std::uint64_t seed)) {
  Random random(seed);
  const MziFlaw flaw{0.6 * random.uniform() - 0.3, 0.6 * random.uniform() - 0.3, 0};
  double least = 1, most = 0;
  for (int k = 0; k <= 200; ++k) {
    const double bar = std::abs(transfer(k * kPi / 200, 0.3, flaw).t00);
    least = std::min(least, bar), most = std::max(most, bar);
  }
  RC_ASSERT(std::abs(std::abs(std::sin(flaw.first_splitter + flaw.second_splitter)) - least) < 1e-14);
  RC_ASSERT(std::abs(std::cos(flaw.first_splitter - flaw.second_splitter) - most) < 1e-14);
}

RC_GTEST_PROP(Mzi, TurnedRoundItDoesTheSame, (std::uint64_t seed)) {
  Random random(seed);
  const double theta = 3 * random.uniform(), phi = 6 * random.uniform() - 3;
  Complex x = std::polar(1.0, 6 * random.uniform()), y = std::polar(1.0, 6 * random.uniform());
  const Eigen::Matrix2cd before = as_matrix(transfer(theta, phi)).adjoint() * phases(std::arg(x), std::arg(y));
  const double turned = turn_round(phasor(phi), x, y);
  const Eigen::Matrix2cd after = phases(std::arg(x), std::arg(y)) * as_matrix(transfer(theta, turned));
  RC_ASSERT((before - after).norm() < 1e-14);
}

TEST(Mzi, HeatersTakePhasesFromZeroToAFullTurn) {
  EXPECT_EQ(heated(1.5), 1.5);
  EXPECT_NEAR(heated(-kPi / 2), 3 * kPi / 2, 1e-15);
  EXPECT_NEAR(heated(5 * kPi), kPi, 1e-14);
  EXPECT_EQ(heated(0), 0);
}

}  // namespace
}  // namespace helio::photonics
