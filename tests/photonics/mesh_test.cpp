// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "photonics/haar.h"

namespace helio::photonics {
namespace {

// The definition of mesh.h, by full matrices.
Eigen::MatrixXcd product(const Mesh& mesh) {
  Eigen::MatrixXcd all = Eigen::MatrixXcd::Identity(mesh.modes, mesh.modes);
  for (const Mzi& mzi : mesh.mzis) all = embedded(transfer(mzi.theta, mzi.phi), mzi.mode, mesh.modes) * all;
  for (int mode = 0; mode < mesh.modes; ++mode) all.row(mode) *= std::polar(1.0, mesh.output_phases[mode]);
  return all.topLeftCorner(mesh.outputs, mesh.inputs);
}

TEST(Mesh, ColumnsAreTheEarliestThatNeighboursAllow) {
  // (0,1), then (1,2) must wait, (3,4) need not, (2,3) waits for both, (0,1) only for (1,2).
  Mesh mesh{5, 5, 5, Layout::kRectangular, {{0}, {1}, {3}, {2}, {0}}, std::vector<double>(5)};
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) mesh.mzis[k].theta = k;
  settle_columns(mesh);
  const int columns[] = {0, 0, 1, 2, 2}, modes[] = {0, 3, 1, 0, 2}, was[] = {0, 2, 1, 4, 3};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(mesh.mzis[k].column, columns[k]);
    EXPECT_EQ(mesh.mzis[k].mode, modes[k]);
    EXPECT_EQ(mesh.mzis[k].theta, was[k]);
  }
  EXPECT_EQ(depth(mesh), 3);
  EXPECT_EQ(depth(Mesh{}), 0);
}

RC_GTEST_PROP(Mesh, PropagationIsTheProductOfItsMzis, (std::uint64_t seed)) {
  // 600 points are more than one block of any size used.
  Random random(seed);
  const int modes = 1 + random.below(9), points = random.below(2) ? 600 : random.below(4);
  Mesh mesh = random_mesh(modes, random.below(30), random);
  mesh.inputs = random.below(modes + 1), mesh.outputs = random.below(modes + 1);
  ComplexBatch in(mesh.inputs, points);
  for (Complex& entry : in.reshaped()) entry = {random.normal(), random.normal()};
  const Eigen::MatrixXcd expected = product(mesh);
  const ComplexBatch out = propagate(mesh, in);
  RC_ASSERT(out.rows() == mesh.outputs && out.cols() == points);
  RC_ASSERT(worst(out - expected * in) < 1e-13);
  RC_ASSERT(worst(matrix(mesh) - expected) < 1e-13);
}

TEST(Mesh, OnePhaseThatIsNoSignMakesItComplex) {
  Random random(1);
  const Mesh real = random_mesh(4, 6, random, true);
  EXPECT_TRUE(is_real(real));
  Mesh inside = real, behind = real;
  inside.mzis[3].phi = 0.1;
  behind.output_phases[2] = 0.1;
  EXPECT_FALSE(is_real(inside));
  EXPECT_FALSE(is_real(behind));
}

RC_GTEST_PROP(Mesh, TheAdjointMeshHasTheAdjointMatrix, (std::uint64_t seed)) {
  Random random(seed);
  const int modes = 1 + random.below(9);
  const bool real = random.below(2);
  Mesh mesh = random_mesh(modes, random.below(30), random, real);
  mesh.inputs = random.below(modes + 1), mesh.outputs = random.below(modes + 1);
  const Mesh back = adjoint(mesh);
  RC_ASSERT(back.inputs == mesh.outputs && back.outputs == mesh.inputs);
  RC_ASSERT(worst(matrix(back) - matrix(mesh).adjoint()) < 1e-13);
  RC_ASSERT(back.mzis.size() == mesh.mzis.size());
  RC_ASSERT(!real || is_real(back));
}

}  // namespace
}  // namespace helio::photonics
