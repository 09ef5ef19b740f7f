// SPDX-License-Identifier: Apache-2.0
// Random unitary and orthogonal matrices for tests: normal entries, made orthonormal column by column (Gram and Schmidt,
// twice, so that the rounding of the first pass goes too). Columns of normal entries make the result Haar-distributed.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "base/random.h"
#include "photonics/decompose.h"

namespace helio::photonics {

template <class Matrix>
Matrix random_isometry(int rows, int columns, Random& random) {
  Matrix q(rows, columns);
  for (auto& entry : q.reshaped()) {
    if constexpr (std::is_same_v<Matrix, Eigen::MatrixXd>)
      entry = random.normal();
    else
      entry = Complex(random.normal(), random.normal());
  }
  for (int c = 0; c < columns; ++c)
    for (int pass = 0; pass < 2; ++pass) {
      for (int before = 0; before < c; ++before) q.col(c) -= q.col(before).dot(q.col(c)) * q.col(before);
      q.col(c) /= q.col(c).norm();
    }
  return q;
}

inline Eigen::MatrixXcd random_unitary(int n, Random& random) {
  return random_isometry<Eigen::MatrixXcd>(n, n, random);
}
inline Eigen::MatrixXd random_orthogonal(int n, Random& random) {
  return random_isometry<Eigen::MatrixXd>(n, n, random);
}

inline double worst(const Eigen::MatrixXcd& difference) {
  return difference.size() == 0 ? 0 : difference.cwiseAbs().maxCoeff();
}

// A transfer on modes (mode, mode + 1) as a matrix of all modes: slow and plain.
inline Eigen::MatrixXcd embedded(const Transfer& t, int mode, int modes) {
  Eigen::MatrixXcd all = Eigen::MatrixXcd::Identity(modes, modes);
  all(mode, mode) = t.t00, all(mode, mode + 1) = t.t01, all(mode + 1, mode) = t.t10, all(mode + 1, mode + 1) = t.t11;
  return all;
}

// A mesh of random MZIs in random places, not from any decomposition.
inline Mesh random_mesh(int modes, int mzis, Random& random, bool real = false) {
  Mesh mesh{modes, modes, modes, Layout::kRectangular, {}, {}};
  const auto phase = [&] { return real ? (random.below(2) ? M_PI : 0) : 7 * random.uniform() - 3.5; };
  for (int k = 0; k < mzis && modes > 1; ++k)
    mesh.mzis.push_back({static_cast<int>(random.below(modes - 1)), 0, 6 * random.uniform() - 3, phase()});
  for (int mode = 0; mode < modes; ++mode) mesh.output_phases.push_back(phase());
  settle_columns(mesh);
  return mesh;
}

}  // namespace helio::photonics
