// SPDX-License-Identifier: Apache-2.0
#include "photonics/self_configure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "photonics/haar.h"

namespace helio::photonics {
namespace {

constexpr double kPi = std::numbers::pi;

Flaws chip(const Mesh& mesh, double splitter_sigma, double loss_db, Random& random) {
  Imperfections imperfections;
  imperfections.splitter_sigma = splitter_sigma;
  imperfections.mzi_loss_db = loss_db;
  imperfections.mzi_loss_sigma_db = loss_db / 4;
  return fabricate(mesh, imperfections, random);
}

TEST(SelfConfigure, DistanceForgivesACommonGainOnly) {
  // Half the target: a gain of 2 mends it. Minus the target: no positive gain does, so nothing is the best.
  Random random(1);
  const Eigen::MatrixXcd target = random_unitary(4, random);
  EXPECT_NEAR(distance(0.5 * target, target), 0, 1e-15);
  EXPECT_NEAR(distance(-target, target), 1, 1e-15);
  // (1, 0) for (1, 1)/√2 and vice versa: 45 degrees apart, sin 45° left over.
  EXPECT_NEAR(distance(Eigen::MatrixXcd{{1, 0}}, Eigen::MatrixXcd{{1, 1}}), std::sqrt(0.5), 1e-15);
}

RC_GTEST_PROP(SelfConfigure, WhatIsWithinReachIsMadeExactly, (std::uint64_t seed)) {
  // θ between 0.3 and 1.2: bar amplitudes from 0.36 to 0.955. Splitter errors of at most 0.1 forbid none below
  // sin 0.2 = 0.199 and none up to cos 0.2 = 0.98. The chip itself is off by some 1e-2 or more.
  Random random(seed);
  const int modes = 2 + random.below(7);
  Mesh mesh = random_mesh(modes, 3 + random.below(20), random);
  for (Mzi& mzi : mesh.mzis) mzi.theta = 0.3 + 0.9 * random.uniform();
  mesh.inputs = 1 + random.below(modes), mesh.outputs = modes;
  Flaws flaws = chip(mesh, 0, 0, random);
  for (MziFlaw& flaw : flaws.mzis) flaw = {0.2 * random.uniform() - 0.1, 0.2 * random.uniform() - 0.1, 0};
  const SelfConfiguration found = self_configure(mesh, flaws);
  RC_ASSERT(found.unreachable == 0);
  RC_ASSERT(found.corrected < 1e-13);
  RC_ASSERT(found.after <= found.before);
  RC_ASSERT(distance(matrix(realise(found.mesh, flaws)), matrix(mesh)) < 1e-13);
}

TEST(SelfConfigure, OrdersOfMagnitudeOnARandomUnitary) {
  // Splitters off by 1 %: with 16 modes the settings of this matrix are all within reach, as `unreachable` says.
  Random random(2);
  const Mesh mesh = decompose(random_unitary(16, random));
  const SelfConfiguration found = self_configure(mesh, chip(mesh, 0.01, 0, random));
  ASSERT_EQ(found.unreachable, 0);
  EXPECT_GT(found.before, 1e-2);
  EXPECT_LT(found.after, 1e-12);
}

TEST(SelfConfigure, APerfectCrossStaysOutOfReach) {
  // One MZI, both splitters off by δ: the bar amplitude is at least ε = sin 2δ. The overlap with the cross state is at
  // most √(1 - ε²) of full, so the distance at least √(1 - (1 - ε²)) = ε, whatever the phases.
  Mesh cross{2, 2, 2, Layout::kRectangular, {{0, 0, kPi / 2, 0.3}}, {0, 0}};
  Random random(3);
  Flaws flaws = chip(cross, 0, 0, random);
  flaws.mzis[0] = {0.05, 0.05, 0};
  const SelfConfiguration found = self_configure(cross, flaws);
  EXPECT_EQ(found.unreachable, 1);
  EXPECT_NEAR(found.after, std::sin(0.1), 1e-14);
  // With errors of opposite sign it is within reach, and the perfect bar is not: cos 2δ at most.
  flaws.mzis[0] = {0.05, -0.05, 0};
  EXPECT_LT(self_configure(cross, flaws).after, 1e-14);
  cross.mzis[0].theta = 0;
  EXPECT_NEAR(self_configure(cross, flaws).after, std::sin(0.1), 1e-14);
  EXPECT_EQ(self_configure(cross, flaws).unreachable, 1);
}

TEST(SelfConfigure, TogetherTheyGetCloserThanEachAlone) {
  // Splitters off by 10 %: many MZIs of 16 modes are out of reach, and their neighbours can make up for part of it.
  Random random(4);
  const Mesh mesh = decompose(random_unitary(16, random));
  const Flaws flaws = chip(mesh, 0.1, 0, random);
  const SelfConfiguration alone = self_configure(mesh, flaws, 0), together = self_configure(mesh, flaws);
  EXPECT_GT(alone.unreachable, 0);
  EXPECT_EQ(alone.sweeps, 0);
  EXPECT_EQ(alone.after, alone.corrected);
  EXPECT_LT(alone.after, 0.5 * alone.before);
  EXPECT_GT(together.sweeps, 0);
  EXPECT_LT(together.after, 0.9 * alone.after);
}

RC_GTEST_PROP(SelfConfigure, NeverMakesItWorse, (std::uint64_t seed)) {
  Random random(seed);
  const int modes = 1 + random.below(8), lit = 1 + random.below(modes);
  const Mesh mesh = decompose_isometry(random_isometry<Eigen::MatrixXcd>(modes, lit, random));
  const Flaws flaws = chip(mesh, 0.3 * random.uniform(), random.uniform(), random);
  const SelfConfiguration found = self_configure(mesh, flaws, random.below(6));
  RC_ASSERT(found.after <= found.before);
  RC_ASSERT(found.after <= found.corrected);
  // What it says is what the chip does.
  RC_ASSERT(std::abs(distance(matrix(realise(mesh, flaws)), matrix(mesh)) - found.before) < 1e-14);
  RC_ASSERT(std::abs(distance(matrix(realise(found.mesh, flaws)), matrix(mesh)) - found.after) < 1e-14);
}

TEST(SelfConfigure, EqualLossOnAllPathsIsNoError) {
  // Two modes, one MZI of 3 dB.
  Random random(5);
  const Mesh mesh = decompose(random_unitary(2, random));
  Flaws flaws = chip(mesh, 0, 0, random);
  flaws.mzis[0].loss_db = 3;
  const SelfConfiguration found = self_configure(mesh, flaws);
  EXPECT_LT(found.before, 1e-15);
  EXPECT_LE(found.after, found.before);
}

TEST(SelfConfigure, PhaseErrorsAreNotKnown) {
  // The same splitters with and without phase errors: the same settings.
  Random random(6);
  const Mesh mesh = decompose(random_unitary(5, random));
  Flaws clean = chip(mesh, 0.02, 0, random), noisy = clean;
  for (Shifter& shifter : noisy.internal) shifter = {0.1, 0.2};
  noisy.phase_bits = 4;
  noisy.crosstalk = 0.01;
  EXPECT_TRUE(matrix(self_configure(mesh, clean).mesh) == matrix(self_configure(mesh, noisy).mesh));
}

}  // namespace
}  // namespace helio::photonics
