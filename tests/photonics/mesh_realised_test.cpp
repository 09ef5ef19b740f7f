// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_realised.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "photonics/haar.h"

namespace helio::photonics {
namespace {

RC_GTEST_PROP(RealisedMesh, AnyTransfersMultiply, (std::uint64_t seed)) {
  // Transfers of no particular kind, unitary or not.
  Random random(seed);
  const auto any = [&] { return Complex(random.normal(), random.normal()); };
  const int modes = 2 + random.below(6);
  RealisedMesh mesh{modes, static_cast<int>(random.below(modes + 1)), static_cast<int>(random.below(modes + 1)), {}, {},
                    {}};
  Eigen::MatrixXcd expected = Eigen::MatrixXcd::Identity(modes, modes);
  for (int k = random.below(8); k > 0; --k) {
    mesh.mzi_modes.push_back(random.below(modes - 1));
    mesh.transfers.push_back({any(), any(), any(), any()});
    expected = embedded(mesh.transfers.back(), mesh.mzi_modes.back(), modes) * expected;
  }
  for (int mode = 0; mode < modes; ++mode) {
    mesh.output.push_back(any());
    expected.row(mode) *= mesh.output.back();
  }
  expected = expected.topLeftCorner(mesh.outputs, mesh.inputs).eval();
  ComplexBatch in(mesh.inputs, 300);
  for (Complex& entry : in.reshaped()) entry = any();
  RC_ASSERT(worst(matrix(mesh) - expected) <= 1e-12 * (1 + expected.norm()));
  RC_ASSERT(worst(propagate(mesh, in) - expected * in) <= 1e-11 * (1 + expected.norm()));
}

TEST(RealisedMesh, TheDrawnMesh) {
  Random random(3);
  const Mesh mesh = random_mesh(5, 9, random);
  const RealisedMesh drawn = ideal(mesh);
  ASSERT_EQ(drawn.transfers.size(), 9u);
  for (std::size_t k = 0; k < 9; ++k) {
    EXPECT_EQ(drawn.transfers[k], transfer(mesh.mzis[k].theta, mesh.mzis[k].phi));
    EXPECT_EQ(drawn.mzi_modes[k], mesh.mzis[k].mode);
  }
  for (int mode = 0; mode < 5; ++mode) EXPECT_EQ(drawn.output[mode], phasor(mesh.output_phases[mode]));
}

}  // namespace
}  // namespace helio::photonics
