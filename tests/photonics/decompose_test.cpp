// SPDX-License-Identifier: Apache-2.0
#include "photonics/decompose.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "photonics/haar.h"

namespace helio::photonics {
namespace {

constexpr Layout kLayouts[] = {Layout::kRectangular, Layout::kTriangular};

// papers/optinc.md, 7.1: n (Clements) and 2n - 3 (Reck). One mode needs no MZI and two modes need one.
int depth_of(Layout layout, int n) {
  if (n < 3) return n - 1;
  return layout == Layout::kRectangular ? n : 2 * n - 3;
}

void expect_sound(const Mesh& mesh) {
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    const Mzi& mzi = mesh.mzis[k];
    EXPECT_TRUE(std::isfinite(mzi.theta) && std::isfinite(mzi.phi));
    EXPECT_TRUE(mzi.mode >= 0 && mzi.mode + 1 < mesh.modes);
    EXPECT_TRUE(mzi.theta >= 0 && mzi.theta <= std::numbers::pi / 2);
    if (k == 0) continue;
    const Mzi& last = mesh.mzis[k - 1];
    EXPECT_TRUE(mzi.column > last.column || (mzi.column == last.column && mzi.mode >= last.mode + 2));
  }
  EXPECT_EQ(static_cast<int>(mesh.output_phases.size()), mesh.modes);
}

// papers/optinc.md, 6: rebuild error below 1e-12; n(n-1)/2 MZIs. Compares matrices: angles are not unique (7.1).
void expect_rebuilt(const Eigen::MatrixXcd& u, const char* what) {
  const int n = u.rows();
  for (const Layout layout : kLayouts) {
    const Mesh mesh = decompose(u, layout);
    expect_sound(mesh);
    EXPECT_LT(worst(matrix(mesh) - u), 1e-12) << what << ", " << n << " modes";
    EXPECT_EQ(static_cast<int>(mesh.mzis.size()), n * (n - 1) / 2) << what;
    EXPECT_EQ(depth(mesh), depth_of(layout, n)) << what << ", " << n << " modes";
    EXPECT_EQ(mesh.layout, layout);
  }
}
void expect_rebuilt_real(const Eigen::MatrixXd& q, const char* what) {
  const int n = q.rows();
  for (const Layout layout : kLayouts) {
    const Mesh mesh = decompose(q, layout);
    expect_sound(mesh);
    ASSERT_TRUE(is_real(mesh)) << what;
    EXPECT_LT(worst(matrix(mesh).real() - q), 1e-12) << what << ", " << n << " modes";
    EXPECT_EQ(static_cast<int>(mesh.mzis.size()), n * (n - 1) / 2) << what;
    EXPECT_EQ(depth(mesh), depth_of(layout, n)) << what;
  }
}

TEST(Decompose, RandomUnitariesOfManySizes) {
  Random random(1);
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 64, 256}) {
    expect_rebuilt(random_unitary(n, random), "Haar");
    expect_rebuilt_real(random_orthogonal(n, random), "Haar");
  }
}

TEST(Decompose, SpecialMatrices) {
  Random random(2);
  for (const int n : {1, 2, 3, 8, 11}) {
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(n, n);
    expect_rebuilt_real(identity, "identity");
    expect_rebuilt_real(-identity, "minus identity");
    expect_rebuilt_real(identity.rowwise().reverse(), "reversal");
    Eigen::MatrixXd shift = Eigen::MatrixXd::Zero(n, n), flipped = identity;
    for (int k = 0; k < n; ++k) shift((k + 1) % n, k) = 1;
    flipped(n / 2, n / 2) = -1;
    expect_rebuilt_real(shift, "shift");
    expect_rebuilt_real(flipped, "one sign");

    Eigen::MatrixXcd phases = Eigen::MatrixXcd::Zero(n, n), dft(n, n);
    for (int k = 0; k < n; ++k) phases(k, k) = std::polar(1.0, 2.0 * k - 3);
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) dft(j, k) = std::polar(1 / std::sqrt(n), 2 * std::numbers::pi * j * k / n);
    expect_rebuilt(phases, "phases");
    expect_rebuilt(dft, "DFT");
    expect_rebuilt(shift.cast<Complex>(), "complex shift");
    expect_rebuilt(shift * phases, "shift of phases");
  }
  // Blocks with zeros between them, and the same with rows exchanged, so that pivots are zero in many places.
  Eigen::MatrixXcd blocks = Eigen::MatrixXcd::Zero(12, 12);
  blocks.topLeftCorner(5, 5) = random_unitary(5, random);
  blocks.bottomRightCorner(7, 7) = random_unitary(7, random);
  expect_rebuilt(blocks, "blocks");
  expect_rebuilt(blocks.colwise().reverse(), "blocks upside down");
  for (int k = 0; k + 6 < 12; k += 2) blocks.row(k).swap(blocks.row(k + 6));
  expect_rebuilt(blocks, "blocks exchanged");
}

TEST(Decompose, TheIdentityNeedsNoMziTurned) {
  for (const Layout layout : kLayouts)
    for (const Mzi& mzi : decompose(Eigen::MatrixXd(Eigen::MatrixXd::Identity(6, 6)), layout).mzis)
      EXPECT_EQ(mzi.theta, 0);
}

TEST(Decompose, TinyEntriesAreNoTrouble) {
  // A rotation by 1e-200 between modes far apart: squares of its entries vanish.
  Eigen::MatrixXcd u = Eigen::MatrixXcd::Identity(5, 5);
  u(0, 4) = -1e-200, u(4, 0) = 1e-200;
  expect_rebuilt(u, "tiny");
}

RC_GTEST_PROP(Decompose, IsometriesNeedFewerMzis, (std::uint64_t seed)) {
  Random random(seed);
  const int n = 1 + random.below(14), r = 1 + random.below(n);
  const Eigen::MatrixXcd tall = random_isometry<Eigen::MatrixXcd>(n, r, random);
  const Eigen::MatrixXd real = random_isometry<Eigen::MatrixXd>(n, r, random);
  for (const Layout layout : kLayouts) {
    // r(2n - r - 1)/2 entries lie below the diagonal of n × r. A chain through n modes is n - 1 deep; triangular
    // ones follow each other one column apart, and the last column of a square needs none.
    const Mesh mesh = decompose_isometry(tall, layout), real_mesh = decompose_isometry(real, layout);
    RC_ASSERT(static_cast<int>(mesh.mzis.size()) == r * (2 * n - r - 1) / 2);
    RC_ASSERT(mzis_of_isometry(n, r) == r * (2 * n - r - 1) / 2);
    RC_ASSERT(depth(mesh) <= (layout == Layout::kRectangular ? n : n - 1 + std::min(r, n - 1) - 1 + (n == 1)));
    RC_ASSERT(mesh.inputs == r && mesh.outputs == n && mesh.modes == n);
    RC_ASSERT(worst(matrix(mesh) - tall) < 1e-13);
    RC_ASSERT(is_real(real_mesh) && worst(matrix(real_mesh).real() - real) < 1e-13);

    // Rows alone: the same backwards.
    const Mesh wide = decompose_isometry(Eigen::MatrixXcd(tall.transpose()), layout);
    const Mesh real_wide = decompose_isometry(Eigen::MatrixXd(real.transpose()), layout);
    RC_ASSERT(wide.inputs == n && wide.outputs == r && wide.mzis.size() == mesh.mzis.size());
    RC_ASSERT(depth(wide) <= depth(mesh));
    RC_ASSERT(worst(matrix(wide) - tall.transpose()) < 1e-13);
    RC_ASSERT(is_real(real_wide) && worst(matrix(real_wide).real() - real.transpose()) < 1e-13);
  }
}

// The message of the Error that it throws.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.message();
  }
  return "";
}

TEST(Decompose, RefusesWhatIsNoUnitary) {
  Random random(4);
  for (const Layout layout : kLayouts) {
    // Twice a unitary: U*U = 4, 3 away from 1.
    const Eigen::MatrixXcd twice = 2 * random_unitary(5, random);
    EXPECT_NE(refusal([&] { decompose(twice, layout); }).find("differs from 1 by 3 "), std::string::npos);
    // Zero; and a shear, whose U*U = [1 1; 1 2] is 1 away.
    EXPECT_NE(refusal([&] { decompose(Eigen::MatrixXd(Eigen::MatrixXd::Zero(3, 3)), layout); }).find("by 1 "),
              std::string::npos);
    EXPECT_NE(refusal([&] { decompose(Eigen::MatrixXd{{1, 1}, {0, 1}}, layout); }).find("by 1 "), std::string::npos);
    // 1e-6 off is off; rounding is not.
    Eigen::MatrixXd nearly = random_orthogonal(6, random);
    nearly *= 1 + 1e-6;
    EXPECT_NE(refusal([&] { decompose(nearly, layout); }), "");
    EXPECT_EQ(refusal([&] { decompose(Eigen::MatrixXd(nearly / (1 + 1e-6)), layout); }), "");
  }
}

TEST(Decompose, RefusesShapesAndNumbersThatCannotBe) {
  Random random(5);
  const Eigen::MatrixXd tall = random_isometry<Eigen::MatrixXd>(5, 3, random);
  EXPECT_NE(refusal([&] { decompose(tall); }).find("5 × 3, not square"), std::string::npos);
  EXPECT_NE(refusal([&] { decompose(Eigen::MatrixXcd(0, 0)); }).find("no modes"), std::string::npos);
  EXPECT_NE(refusal([&] { decompose_isometry(Eigen::MatrixXd(4, 0)); }).find("no modes"), std::string::npos);
  // The columns of a wide matrix cannot be orthonormal, but its rows have to be.
  EXPECT_NE(refusal([&] {
              decompose_isometry(Eigen::MatrixXd{{1, 1, 0}, {0, 0, 1}});
            }).find("by 1 "),
            std::string::npos);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Eigen::MatrixXd matrix = random_orthogonal(4, random);
    matrix(2, 1) = bad;
    EXPECT_NE(refusal([&] { decompose(matrix); }).find("not a finite number"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::photonics
