// SPDX-License-Identifier: Apache-2.0
#include "photonics/imperfections.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "photonics/haar.h"
#include "photonics/thermal.h"

namespace helio::photonics {
namespace {

constexpr double kPi = std::numbers::pi;

// θ and φ of a transfer without splitter errors: t01 = -sin θ, t11 = cos θ, t00 and t10 carry e^iφ.
double theta_of(const Transfer& t) { return std::atan2(-t.t01.real(), t.t11.real()); }
double phi_of(const Transfer& t) { return std::arg(t.t00 * std::conj(t.t11) - t.t10 * std::conj(t.t01)); }

// The angle between two phases, in [-π, π].
double apart(double one, double other) { return std::remainder(one - other, 2 * kPi); }

TEST(Imperfections, NoneIsTheDrawnMeshBitForBit) {
  Random random(1), draws(2);
  for (const Mesh& mesh : {decompose(random_unitary(9, random)), decompose(random_orthogonal(8, random))}) {
    const RealisedMesh drawn = ideal(mesh), built = realise(mesh, Imperfections{}, draws);
    EXPECT_EQ(built.mzi_modes, drawn.mzi_modes);
    EXPECT_EQ(built.transfers, drawn.transfers);
    EXPECT_EQ(built.output, drawn.output);
    EXPECT_TRUE(matrix(built) == matrix(mesh));
  }
}

TEST(Imperfections, PhaseErrorsAddUpInSquares) {
  // To first order a shift dφ turns one mode's whole field: |ΔM|² = dφ² · 1 (the rest of the mesh keeps norms). ψ turns
  // both arms by ± dψ/2: |ΔM|² = 2 (dψ/2)² = dψ²/2. An output phase: dω². Errors are independent, so in the mean
  // |ΔM|² = σ² (3/2 · MZIs + modes) = σ² (42 + 8). The terms of second order are of relative size 50 σ² = 5e-5. A chip's
  // value scatters by at most √2 of its mean (one chi-square degree of freedom), 400 chips by 7 %.
  Random random(3);
  const Mesh mesh = decompose(random_unitary(8, random));
  Imperfections imperfections;
  imperfections.phase_sigma = 1e-3;
  double sum = 0;
  for (int chip = 0; chip < 400; ++chip)
    sum += (matrix(realise(mesh, imperfections, random)) - matrix(mesh)).squaredNorm();
  EXPECT_NEAR(sum / 400 / 1e-6, 50, 3.5);
}

TEST(Imperfections, BitsLeaveHalfALevel) {
  // 2^b levels over 2π: no phase is farther than π/2^b from one. Of 1000 random phases some come within 2 % of that:
  // each does with probability 2 %, none with 0.98^1000 = 2e-9.
  Random random(5);
  Imperfections imperfections;
  imperfections.phase_bits = 6;
  Mesh mesh = random_mesh(2, 1000, random);
  const RealisedMesh built = realise(mesh, imperfections, random);
  double internal = 0, external = 0;
  for (std::size_t k = 0; k < 1000; ++k) {
    internal = std::max(internal, std::abs(apart(theta_of(built.transfers[k]), mesh.mzis[k].theta)));
    external = std::max(external, std::abs(apart(phi_of(built.transfers[k]), mesh.mzis[k].phi)));
  }
  EXPECT_LE(internal, kPi / 128 + 1e-12);  // ψ = 2θ is what has levels
  EXPECT_GT(internal, 0.98 * kPi / 128);
  EXPECT_LE(external, kPi / 64 + 1e-12);
  EXPECT_GT(external, 0.98 * kPi / 64);
  // Phases on a level stay: multiples of π/32.
  const Mesh on_levels{2, 2, 2, Layout::kRectangular, {{0, 0, 3 * kPi / 64, -5 * kPi / 32}}, {kPi / 2, kPi}};
  EXPECT_LT(worst(matrix(realise(on_levels, imperfections, random)) - matrix(on_levels)), 1e-15);
}

TEST(Imperfections, LossDependsOnThePath) {
  // Four modes, all MZIs bar: light stays on its mode. Columns of 2, 1, 2, 1 MZIs: modes 0 and 3 pass two of them, modes
  // 1 and 2 all four. 0.5 dB each: 10^(-0.5 · 2/20) and 10^(-0.5 · 4/20) of the field.
  const Mesh mesh = decompose(Eigen::MatrixXd(Eigen::MatrixXd::Identity(4, 4)));
  Imperfections imperfections;
  imperfections.mzi_loss_db = 0.5;
  Random random(7);
  const Eigen::MatrixXcd built = matrix(realise(mesh, imperfections, random));
  const double edge = std::pow(10, -0.05), inside = std::pow(10, -0.1);
  EXPECT_LT(worst(built - Eigen::MatrixXcd(Eigen::Vector4cd(edge, inside, inside, edge).asDiagonal())), 1e-14);
}

TEST(Imperfections, LossesScatterAndAreNoGain) {
  // Mean 2, sigma 0.5: four sigma from zero. Mean 0: half of the draws are cut off at 0, and the others' mean is
  // σ √(2/π), so the mean of all is σ / √(2π) = 0.3989 σ. 10,000 draws: standard errors 0.005 and 0.006 σ.
  Random random(8);
  const Mesh mesh = random_mesh(3, 10000, random);
  Imperfections imperfections;
  imperfections.mzi_loss_db = 2;
  imperfections.mzi_loss_sigma_db = 0.5;
  double sum = 0, squares = 0, cut = 0;
  for (const MziFlaw& flaw : fabricate(mesh, imperfections, random).mzis)
    sum += flaw.loss_db, squares += (flaw.loss_db - 2) * (flaw.loss_db - 2);
  EXPECT_NEAR(sum / 10000, 2, 0.02);
  EXPECT_NEAR(std::sqrt(squares / 10000), 0.5, 0.02);
  imperfections.mzi_loss_db = 0;
  for (const MziFlaw& flaw : fabricate(mesh, imperfections, random).mzis) {
    EXPECT_GE(flaw.loss_db, 0);
    cut += flaw.loss_db;
  }
  EXPECT_NEAR(cut / 10000, 0.3989 * 0.5, 0.012);
}

TEST(Imperfections, SplitterErrors) {
  // A cross state with both splitters off by δ leaks sin 2δ (mzi.h).
  const Mesh cross{2, 2, 2, Layout::kRectangular, {{0, 0, kPi / 2, 0}}, {0, 0}};
  Imperfections imperfections;
  imperfections.splitter_offset = 0.02;
  Random random(9);
  const Eigen::MatrixXcd built = matrix(realise(cross, imperfections, random));
  EXPECT_NEAR(std::abs(built(0, 0)), std::sin(0.04), 1e-15);
  EXPECT_NEAR(std::abs(built(1, 0)), std::cos(0.04), 1e-15);

  // Sigma: around the offset, each splitter its own. 20,000 draws: standard error of sigma 0.5 %, of the mean 0.7 %
  // of sigma, of their correlation 1/√10000 = 0.01.
  imperfections.splitter_sigma = 0.01;
  double sum = 0, squares = 0, both = 0;
  for (const MziFlaw& flaw : fabricate(random_mesh(3, 10000, random), imperfections, random).mzis) {
    const double one = (flaw.first_splitter - 0.02) / 0.01, other = (flaw.second_splitter - 0.02) / 0.01;
    sum += one + other, squares += one * one + other * other, both += one * other;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.04);
  EXPECT_NEAR(both / 10000, 0, 0.05);
}

TEST(Imperfections, HeatLeaksToNeighbours) {
  // Columns: (0,1) and (2,3); then (1,2); then (0,1) again, two columns from the first.
  //   ψ: 0.2, 0.4 | 0.6 | 1.0    φ: 0.1, -0.5 (heated: 2π - 0.5) | 0.3 | 0    ω: 0, 1, 2, 3
  Mesh mesh{
      4,           4, 4, Layout::kRectangular, {{0, 0, 0.1, 0.1}, {2, 0, 0.2, -0.5}, {1, 0, 0.3, 0.3}, {0, 0, 0.5, 0}},
      {0, 1, 2, 3}};
  settle_columns(mesh);
  ASSERT_EQ(depth(mesh), 3);
  Imperfections imperfections;
  imperfections.crosstalk = 0.01;
  Random random(11);
  const RealisedMesh built = realise(mesh, imperfections, random);
  // Where shifters stand, in half columns and modes, and what they are driven to: each sees all others by their distance.
  struct Heater {
    int half_column, mode;
    double phase;
  };
  const double wrapped = 2 * kPi - 0.5;
  const std::vector<Heater> internal = {{1, 0, 0.2}, {1, 2, 0.4}, {3, 1, 0.6}, {5, 0, 1.0}},
                            external = {{0, 0, 0.1}, {0, 2, wrapped}, {2, 1, 0.3}, {4, 0, 0}},
                            output = {{6, 0, 0}, {6, 1, 1}, {6, 2, 2}, {6, 3, 3}};
  const auto seen_by = [&](const Heater& one) {
    double heat = 0;
    for (const auto* kind : {&internal, &external, &output})
      for (const Heater& other : *kind)
        heat += heat_seen(other.half_column - one.half_column, other.mode - one.mode) * other.phase;
    return 0.01 * heat;
  };
  for (std::size_t k = 0; k < 4; ++k) {  // shares are kept in floats
    EXPECT_NEAR(theta_of(built.transfers[k]), (internal[k].phase + seen_by(internal[k])) / 2, 1e-7) << k;
    EXPECT_NEAR(apart(phi_of(built.transfers[k]), external[k].phase + seen_by(external[k])), 0, 1e-7) << k;
    EXPECT_NEAR(apart(std::arg(built.output[k]), output[k].phase + seen_by(output[k])), 0, 1e-7) << k;
  }
}

TEST(Imperfections, DriftIsCommonAndAWalk) {
  Random random(13);
  const Mesh mesh = random_mesh(3, 5000, random);
  Imperfections drifting;
  drifting.drift_rate = -2e-3;
  drifting.time = 5;
  for (const Shifter& shifter : fabricate(mesh, drifting, random).external) EXPECT_DOUBLE_EQ(shifter.offset, -0.01);

  // The walk grows with the root of time: four times as late, twice as far. Its spread at 4 s is 2 · 1e-3; 10,000
  // shifters: standard error 0.7 %.
  Imperfections walking;
  walking.drift_walk = 1e-3;
  walking.time = 1;
  Random first(17), again(17);
  const Flaws early = fabricate(mesh, walking, first);
  walking.time = 4;
  const Flaws late = fabricate(mesh, walking, again);
  double squares = 0;
  for (std::size_t k = 0; k < 5000; ++k) {
    EXPECT_DOUBLE_EQ(late.internal[k].offset, 2 * early.internal[k].offset);
    squares += std::pow(late.internal[k].offset, 2) + std::pow(late.external[k].offset, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / 10000), 2e-3, 6e-5);

  // At time 0 nothing has drifted yet.
  walking.drift_rate = 1;
  walking.time = 0;
  for (const Shifter& shifter : fabricate(mesh, walking, random).output) EXPECT_EQ(shifter.offset, 0);
}

TEST(Imperfections, AGainScalesWhatIsHeated) {
  // φ = -π/2 is heated as 3π/2; a gain error of g adds 3π/2 · g.
  const Mesh mesh{2, 2, 2, Layout::kRectangular, {{0, 0, 0.4, -kPi / 2}}, {0, 1}};
  Random random(19);
  Imperfections imperfections;
  imperfections.phase_gain_sigma = 0.05;
  const Flaws flaws = fabricate(mesh, imperfections, random);
  const RealisedMesh built = realise(mesh, flaws);
  EXPECT_NE(flaws.external[0].gain, 0);
  EXPECT_NEAR(phi_of(built.transfers[0]), -kPi / 2 + 1.5 * kPi * flaws.external[0].gain, 1e-14);
  EXPECT_NEAR(theta_of(built.transfers[0]), 0.4 * (1 + flaws.internal[0].gain), 1e-14);
  EXPECT_EQ(built.output[0], Complex(1));
  EXPECT_NEAR(std::arg(built.output[1]), 1 + flaws.output[1].gain, 1e-14);
}

TEST(Imperfections, EachKindHasItsOwnDraws) {
  Random random(23), one(29), other(29);
  const Mesh mesh = random_mesh(4, 20, random);
  Imperfections alone, together;
  alone.phase_sigma = together.phase_sigma = 0.01;
  together.phase_gain_sigma = together.splitter_sigma = together.mzi_loss_sigma_db = together.drift_walk = 0.1;
  const Flaws few = fabricate(mesh, alone, one), many = fabricate(mesh, together, other);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(few.internal[k].offset, many.internal[k].offset);
  EXPECT_NE(many.mzis[0].first_splitter, 0);
  // The next chip is another one.
  EXPECT_NE(fabricate(mesh, alone, one).internal[0].offset, few.internal[0].offset);
}

TEST(Imperfections, NonsenseIsRefusedByName) {
  const auto refused = [](auto set, const std::string& name) {
    Imperfections imperfections;
    set(imperfections);
    try {
      check(imperfections);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kInput && error.message().find("'" + name + "'") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused([](Imperfections& i) { i.phase_sigma = -1; }, "phase_sigma"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.phase_gain_sigma = std::nan(""); }, "phase_gain_sigma"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.phase_bits = -1; }, "phase_bits"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.phase_bits = 64; }, "phase_bits"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.drift_rate = std::numeric_limits<double>::infinity(); }, "drift_rate"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.drift_walk = -1; }, "drift_walk"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.time = -1; }, "time"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.crosstalk = 1.5; }, "crosstalk"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.splitter_offset = 1; }, "splitter_offset"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.splitter_sigma = -1; }, "splitter_sigma"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.mzi_loss_db = -1; }, "mzi_loss_db"));
  EXPECT_TRUE(refused([](Imperfections& i) { i.mzi_loss_sigma_db = -1; }, "mzi_loss_sigma_db"));
  EXPECT_NO_THROW(check(Imperfections{}));
}

}  // namespace
}  // namespace helio::photonics
