// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "photonics/haar.h"

namespace helio::photonics {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(MeshCost, ARectangleOf64) {
  // 64 · 63/2 MZIs, 64 deep; the worst path meets one in every column: 64 · 0.2 dB, the 13 dB of papers/optinc.md, 2.7. Along
  // the upper edge every other column has one: 32 · 0.2 dB. 64 · 0.2 mm long; light takes 12.8 mm · 4.2 / c =
  // 179.33 ps. 64 · 0.127 mm wide.
  Random random(1);
  const MeshCost spent = cost(decompose(random_unitary(64, random)));
  EXPECT_EQ(spent.mzis, 2016);
  EXPECT_EQ(spent.depth, 64);
  EXPECT_EQ(spent.shifters, 2 * 2016 + 64);
  EXPECT_NEAR(spent.worst_loss_db, 12.8, 1e-12);
  EXPECT_NEAR(spent.best_loss_db, 6.4, 1e-12);
  EXPECT_NEAR(spent.length_mm, 12.8, 1e-12);
  EXPECT_NEAR(spent.width_mm, 8.128, 1e-12);
  EXPECT_NEAR(spent.area_mm2, 12.8 * 8.128, 1e-9);
  EXPECT_NEAR(spent.flight_time_s, 179.33e-12, 0.01e-12);
  EXPECT_GT(spent.mean_loss_db, spent.best_loss_db);
  EXPECT_LT(spent.mean_loss_db, spent.worst_loss_db);
  EXPECT_EQ(spent.heater_mw, 0);  // no heater power was given
}

TEST(MeshCost, TheSpecsFlightTimes) {
  // papers/optinc.md, 2.7: 392 columns take about 1.1 ns (UD network), 1,288 about 3.6 ns: 2.8 ps per column.
  Random random(2);
  const double column = cost(decompose(random_orthogonal(8, random))).flight_time_s / 8;
  EXPECT_NEAR(392 * column, 1.1e-9, 0.05e-9);
  EXPECT_NEAR(1288 * column, 3.6e-9, 0.05e-9);
}

TEST(MeshCost, TheMeanOfSmallLossesCountsMzisPerMode) {
  // Light spread evenly stays so: every MZI sees 2/n of it. To first order loss · 2/n · n(n-1)/2 = (n - 1) loss.
  Random random(3);
  MziParameters parameters;
  parameters.loss_db = 1e-5;
  for (const Layout layout : {Layout::kRectangular, Layout::kTriangular})
    EXPECT_NEAR(cost(decompose(random_unitary(9, random), layout), parameters).mean_loss_db / 1e-5, 8, 1e-3);
}

TEST(MeshCost, ATriangle) {
  // The longest chain of MZIs is itself a path: 2n - 3. The shortest way along the edge meets only one.
  Random random(4);
  const MeshCost spent = cost(decompose(random_unitary(8, random), Layout::kTriangular));
  EXPECT_NEAR(spent.worst_loss_db, 13 * 0.2, 1e-12);
  EXPECT_NEAR(spent.best_loss_db, 0.2, 1e-12);
}

TEST(MeshCost, OnlyLitAndReadModesCount) {
  // One input to five modes: a chain of four MZIs. Output 0 is read behind the first, modes 3 and 4 behind the fourth.
  Random random(5);
  Mesh mesh = decompose_isometry(random_isometry<Eigen::MatrixXd>(5, 1, random));
  ASSERT_EQ(mesh.mzis.size(), 4u);
  EXPECT_NEAR(cost(mesh).best_loss_db, 0.2, 1e-12);
  EXPECT_NEAR(cost(mesh).worst_loss_db, 0.8, 1e-12);
  mesh.outputs = 1;
  EXPECT_NEAR(cost(mesh).worst_loss_db, 0.2, 1e-12);
  // Up the other way: MZIs that only dark modes reach take no light.
  Mesh up{4, 1, 4, Layout::kTriangular, {{2}, {1}, {0}}, std::vector<double>(4)};
  settle_columns(up);
  EXPECT_NEAR(cost(up).worst_loss_db, 0.2, 1e-12);
  up.inputs = 4;
  EXPECT_NEAR(cost(up).worst_loss_db, 0.6, 1e-12);
}

TEST(MeshCost, HeatersHoldTheirPhases) {
  // ψ = 2 · π/4, φ = -π/2 heated as 3π/2, ω = π and 0: 3π in all, at 20 mW for each π.
  const Mesh mesh{2, 2, 2, Layout::kRectangular, {{0, 0, kPi / 4, -kPi / 2}}, {kPi, 0}};
  MziParameters parameters;
  parameters.heater_mw_pi = 20;
  EXPECT_NEAR(cost(mesh, parameters).heater_mw, 60, 1e-12);
}

TEST(MeshCost, OneModeCostsNothingButItsWidth) {
  const MeshCost spent = cost(decompose(Eigen::MatrixXd(Eigen::MatrixXd::Identity(1, 1))));
  EXPECT_EQ(spent.mzis, 0);
  EXPECT_EQ(spent.worst_loss_db, 0);
  EXPECT_EQ(spent.best_loss_db, 0);
  EXPECT_EQ(spent.flight_time_s, 0);
}

TEST(MeshCost, NonsenseIsRefused) {
  const Mesh mesh{2, 2, 2, Layout::kRectangular, {{}}, {0, 0}};
  EXPECT_THROW(cost(mesh, {.length_mm = -1}), Error);
  EXPECT_THROW(cost(mesh, {.group_index = std::nan("")}), Error);
  EXPECT_THROW(cost(mesh, {.loss_db = -0.1}), Error);
  EXPECT_THROW(cost(mesh, {.pitch_mm = std::numeric_limits<double>::infinity()}), Error);
  EXPECT_THROW(cost(mesh, {.heater_mw_pi = -1}), Error);
}

}  // namespace
}  // namespace helio::photonics
