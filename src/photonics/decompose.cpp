// SPDX-License-Identifier: Apache-2.0
#include "photonics/decompose.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "photonics/mesh_nulling.h"

namespace helio::photonics {
namespace {

template <class Scalar>
using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

// MZIs in the order of nulling: those met by the light before the diagonal, and those behind it, farthest first, as
// adjoints T(θ, φ)*.
template <class Scalar>
struct Adjoint {
  int mode;
  double theta;
  Scalar external;  // e^iφ
};
template <class Scalar>
struct Factors {
  std::vector<Mzi> before;
  std::vector<Adjoint<Scalar>> behind;

  explicit Factors(const Nulling<Scalar>& nulling) {
    before.reserve(mzis_of_isometry(nulling.matrix().rows(), nulling.matrix().cols()));  // grows into the whole mesh
  }

  // From the right a turn is T*, with phase e^-iφ; from the left it is T itself.
  void add_from_right(Eigen::Index mode, const Turn<Scalar>& turn) {
    before.push_back({static_cast<int>(mode), 0, theta_of(turn), -angle(turn.phase)});
  }
  void add_from_left(Eigen::Index mode, const Turn<Scalar>& turn) {
    behind.push_back({static_cast<int>(mode), theta_of(turn), turn.phase});
  }

  static double theta_of(const Turn<Scalar>& turn) { return std::atan2(turn.sine, turn.cosine); }
  static double angle(Complex phase) { return std::arg(phase); }
  static double angle(double sign) { return sign < 0 ? std::numbers::pi : 0; }
};

template <class Scalar>
Factors<Scalar> null_rectangular(Nulling<Scalar>& nulling) {
  const Eigen::Index n = nulling.matrix().rows(), r = nulling.matrix().cols();
  Factors<Scalar> factors(nulling);
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    if (i % 2 == 0 && i + 1 < r) {
      // From the right, up the anti-diagonal.
      Eigen::Index column = i;
      for (const Turn<Scalar>& turn : nulling.null_diagonal_from_right(i)) factors.add_from_right(column--, turn);
    } else {
      // From the left, down the anti-diagonal; also where the matrix has no further column to mix with.
      for (Eigen::Index j = 0; j <= std::min(i, r - 1); ++j) {
        const Eigen::Index row = n - 2 - i + j;
        factors.add_from_left(row, nulling.null_from_left(row, j));
      }
    }
  }
  return factors;
}

template <class Scalar>
Factors<Scalar> null_triangular(Nulling<Scalar>& nulling) {
  const Eigen::Index n = nulling.matrix().rows(), r = nulling.matrix().cols();
  Factors<Scalar> factors(nulling);
  for (Eigen::Index column = 0; column < r; ++column)
    for (Eigen::Index row = n - 2; row >= column; --row)
      factors.add_from_left(row, nulling.null_from_left(row, column));
  return factors;
}

// A unitary matrix without its lower triangle is diagonal, with entries of size 1: how far this one is from that.
template <class Matrix>
double remainder(const Matrix& nulled) {
  double worst = 0;
  for (Eigen::Index row = 0; row < nulled.cols(); ++row) {
    worst = std::max(worst, std::abs(std::abs(nulled(row, row)) - 1));
    for (Eigen::Index column = row + 1; column < nulled.cols(); ++column)
      worst = std::max(worst, std::abs(nulled(row, column)));
  }
  return worst;
}

template <class Scalar>
double deviation(const Dense<Scalar>& matrix) {
  if (!matrix.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const bool tall = matrix.rows() >= matrix.cols();
  Dense<Scalar> gram = tall ? Dense<Scalar>(matrix.adjoint() * matrix) : Dense<Scalar>(matrix * matrix.adjoint());
  gram.diagonal().array() -= Scalar(1);
  return gram.size() == 0 ? 0 : gram.cwiseAbs().maxCoeff();
}

// Requires: rows ≥ columns.
template <class Scalar>
Mesh decompose_tall(const Dense<Scalar>& matrix, Layout layout) {
  // Null everything below the diagonal.
  const int n = static_cast<int>(matrix.rows()), r = static_cast<int>(matrix.cols());
  if (!matrix.allFinite())
    throw Error(ErrorKind::kInput, "the matrix of a mesh has an entry that is not a finite number");
  Nulling<Scalar> nulling(matrix);
  Factors<Scalar> factors = layout == Layout::kRectangular ? null_rectangular(nulling) : null_triangular(nulling);
  if (!(remainder(nulling.matrix()) <= kUnitaryTolerance))
    throw Error(
        ErrorKind::kInput,
        fmt::format("the {} × {} matrix of a mesh is not unitary: W*W differs from 1 by {:.3g} in its worst entry", n,
                    r, deviation<Scalar>(matrix)),
        {}, "a mesh multiplies by unitary matrices; others are two meshes and amplitudes between them (SVD)");

  // MZIs before the diagonal stay; the diagonal is pushed through those behind it, the nearest first.
  Mesh mesh{n, r, n, layout, std::move(factors.before), {}};
  std::vector<Complex> diagonal(n, 1);
  for (int mode = 0; mode < r; ++mode) {
    const Complex entry = nulling.matrix()(mode, mode);
    diagonal[mode] = entry / std::abs(entry);
  }
  for (std::size_t k = factors.behind.size(); k-- > 0;) {
    const Adjoint<Scalar>& mzi = factors.behind[k];
    const double phi = turn_round(mzi.external, diagonal[mzi.mode], diagonal[mzi.mode + 1]);
    mesh.mzis.push_back({mzi.mode, 0, mzi.theta, phi});
  }
  for (const Complex phase : diagonal) mesh.output_phases.push_back(std::arg(phase));
  settle_columns(mesh);
  return mesh;
}

template <class Scalar>
Mesh decompose_any(const Dense<Scalar>& matrix, Layout layout) {
  if (matrix.rows() < 1 || matrix.cols() < 1)
    throw Error(ErrorKind::kInput,
                fmt::format("the matrix of a mesh is {} × {}: it has no modes", matrix.rows(), matrix.cols()));
  if (matrix.rows() >= matrix.cols()) return decompose_tall<Scalar>(matrix, layout);
  return adjoint(decompose_tall<Scalar>(matrix.adjoint(), layout));
}

template <class Scalar>
Mesh decompose_square(const Dense<Scalar>& matrix, Layout layout) {
  if (matrix.rows() != matrix.cols())
    throw Error(ErrorKind::kInput,
                fmt::format("the matrix of a mesh is {} × {}, not square", matrix.rows(), matrix.cols()), {},
                "orthonormal columns or rows alone are an isometry");
  return decompose_any<Scalar>(matrix, layout);
}

}  // namespace

Mesh decompose(const Eigen::MatrixXcd& unitary, Layout layout) { return decompose_square<Complex>(unitary, layout); }
Mesh decompose(const Eigen::MatrixXd& orthogonal, Layout layout) {
  return decompose_square<double>(orthogonal, layout);
}

Mesh decompose_isometry(const Eigen::MatrixXcd& isometry, Layout layout) {
  return decompose_any<Complex>(isometry, layout);
}
Mesh decompose_isometry(const Eigen::MatrixXd& isometry, Layout layout) {
  return decompose_any<double>(isometry, layout);
}

long mzis_of_isometry(long modes, long lit) { return lit * (2 * modes - lit - 1) / 2; }

}  // namespace helio::photonics
