// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_nulling.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "photonics/haar.h"

namespace helio::photonics {
namespace {

template <class Scalar>
using Dense = typename Nulling<Scalar>::Matrix;

template <class Scalar>
Dense<Scalar> random_matrix(int rows, int columns, Random& random) {
  Dense<Scalar> matrix(rows, columns);
  for (Scalar& entry : matrix.reshaped()) {
    if constexpr (std::is_same_v<Scalar, double>)
      entry = random.normal();
    else
      entry = Complex(random.normal(), random.normal());
  }
  return matrix;
}

// (a, b) ↦ (c w - s b, s w + c b) with w = phase · a, as a matrix from the left.
template <class Scalar>
Eigen::MatrixXcd embedded(const Turn<Scalar>& turn, int mode, int modes) {
  return embedded(Transfer{turn.cosine * turn.phase, -turn.sine, turn.sine * turn.phase, turn.cosine}, mode, modes);
}

template <class Scalar>
void walk(std::uint64_t seed) {
  // Any matrix, of at least as many rows as columns: anti-diagonals fall one by one, and what is left is what
  // full matrices make of it. The second is nulled from the left, so that the third has zeros to keep.
  Random random(seed);
  const int columns = 2 + random.below(14), rows = columns + random.below(8);
  Nulling<Scalar> nulling(random_matrix<Scalar>(rows, columns, random));
  Eigen::MatrixXcd expected = nulling.matrix().template cast<Complex>();
  for (int i = 0; i + 1 < columns; ++i) {
    if (i % 2 == 0) {
      int column = i;
      for (const Turn<Scalar>& turn : nulling.null_diagonal_from_right(i))
        expected = expected * embedded(turn, column--, columns).transpose();
      RC_ASSERT(column == -1);
    } else {
      for (int j = 0; j <= i; ++j) {
        const int row = rows - 2 - i + j;
        expected = embedded(nulling.null_from_left(row, j), row, rows) * expected;
      }
    }
    RC_ASSERT(worst(expected - nulling.matrix().template cast<Complex>()) < 1e-13 * expected.norm());
    for (int j = 0; j <= i; ++j) RC_ASSERT(nulling.matrix()(rows - 1 - j, i - j) == Scalar(0));
  }
}

RC_GTEST_PROP(MeshNulling, RealSweeps, (std::uint64_t seed)) { walk<double>(seed); }
RC_GTEST_PROP(MeshNulling, ComplexSweeps, (std::uint64_t seed)) { walk<Complex>(seed); }

TEST(MeshNulling, ZerosNeedNoTurnAndNoDivision) {
  // Nothing to null: the identity. Nothing to null it with: a change of places, without a phase.
  const auto idle = Turn<Complex>::nulling_second(Complex(0, 2), 0);
  EXPECT_EQ(idle.cosine, 1);
  EXPECT_EQ(idle.sine, 0);
  EXPECT_EQ(idle.phase, Complex(1));
  for (const auto& cross : {Turn<double>::nulling_second(0, -3), Turn<double>::nulling_first(-3, 0)}) {
    EXPECT_EQ(cross.cosine, 0);
    EXPECT_EQ(cross.sine, 1);
    EXPECT_EQ(cross.phase, 1);
  }
  const auto both = Turn<double>::nulling_first(0, 0);
  EXPECT_EQ(both.sine, 0);
}

}  // namespace
}  // namespace helio::photonics
