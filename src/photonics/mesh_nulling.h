// SPDX-License-Identifier: Apache-2.0
// Nulling a matrix, two neighbouring rows or columns at a time: the inner loops of decompose.h, for real and complex entries.
//
//   A turn maps a pair (a, b) to (c w - s b, s w + c b) with w = phase · a: an MZI from the left, its adjoint from the right.
//
//   The matrix lies in memory row by row. A sweep from the left walks down the rows, pair by pair, and each pair is one long
//   loop. A sweep from the right would stride: so its turns are found first, in the corner that they null, and
//   then all of them are applied to four rows at a time, walking along the rows while the overlap of neighbouring turns
//   stays in registers. Entries that are null already are left out.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "photonics/mesh_wave.h"

namespace helio::photonics {

// How entries lie in registers, and a turn in terms of them: (a, b) ↦ (c w - s b, s w + c b).
template <class Scalar>
struct Lane;

template <>
struct Lane<double> {
  using Entry = double;
  double ca, sa, c, s;  // the sign is in what multiplies a

  Lane(double cosine, double sine, double sign) : ca(cosine * sign), sa(sine * sign), c(cosine), s(sine) {}
  template <class Real>  // one number, or a vector of them
  void turn(Real& a, Real& b) const {
    const Real old = a;
    a = ca * old - s * b;
    b = sa * old + c * b;
  }
};

template <>
struct Lane<Complex> {
  using Entry = Wave;
  Wave c, s;
  Factor phase;

  Lane(double cosine, double sine, Complex turned) : c(both(cosine)), s(both(sine)), phase(turned) {}
  void turn(Wave& a, Wave& b) const {
    const Wave w = phase * a;
    a = c * w - s * b;
    b = s * w + c * b;
  }
};

template <class Scalar>
struct Turn {
  double cosine = 1, sine = 0;
  Scalar phase = 1;

  Lane<Scalar> lane() const { return Lane<Scalar>(cosine, sine, phase); }

  // The turn after which `second` is null: tan = |second| / |first|, phase = -second / first without their sizes.
  static Turn nulling_second(Scalar first, Scalar second) {
    const double size_first = std::abs(first), size_second = std::abs(second);
    if (size_second == 0) return {};
    if (size_first == 0) return {0, 1, 1};
    const double size = std::hypot(size_first, size_second);
    return {size_first / size, size_second / size, -(second / size_second) * conjugate(first / size_first)};
  }
  // The turn after which `first` is null: tan = |first| / |second|, phase = second / first without their sizes.
  static Turn nulling_first(Scalar first, Scalar second) {
    Turn turn = nulling_second(second, first);
    if (turn.sine != 0 && turn.cosine != 0) turn.phase = -conjugate(turn.phase);
    return turn;
  }

  static Scalar conjugate(Scalar value) {
    if constexpr (std::is_same_v<Scalar, double>)
      return value;
    else
      return std::conj(value);
  }
};

// A matrix, row by row, under turns.
template <class Scalar>
class Nulling {
 public:
  using Entry = typename Lane<Scalar>::Entry;
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  explicit Nulling(Matrix matrix) : matrix_(std::move(matrix)), rows_(matrix_.rows()), columns_(matrix_.cols()) {}

  const Matrix& matrix() const { return matrix_; }

  // Nulls (row + 1, column) by rows (row, row + 1); both are null left of `column`.
  Turn<Scalar> null_from_left(Eigen::Index row, Eigen::Index column) {
    const Turn<Scalar> turn = Turn<Scalar>::nulling_second(matrix_(row, column), matrix_(row + 1, column));
    turn_rows(turn, entries(row) + column, entries(row + 1) + column, columns_ - column);
    matrix_(row + 1, column) = 0;
    return turn;
  }

  // Nulls (rows - 1 - j, last - j), j = 0 … last, each by columns (last - j, last - j + 1).
  const std::vector<Turn<Scalar>>& null_diagonal_from_right(Eigen::Index last) {
    turns_.clear();
    for (Eigen::Index j = 0; j <= last; j += kTogether) {
      // The next rows of the corner catch up with the turns found so far, together; then each finds its own.
      const Eigen::Index count = std::min(kTogether, last - j + 1), found = j;
      if (count == kTogether)
        turn_columns<kTogether>(rows_ - j - kTogether, last, 0, found);
      else
        for (Eigen::Index k = 0; k < count; ++k) turn_columns<1>(rows_ - 1 - j - k, last, 0, found);
      for (Eigen::Index k = 0; k < count; ++k) {
        const Eigen::Index row = rows_ - 1 - j - k, column = last - j - k;
        turn_columns<1>(row, last, found, found + k);
        turns_.push_back(Turn<Scalar>::nulling_first(matrix_(row, column), matrix_(row, column + 1)));
        turn_columns<1>(row, last, found + k, found + k + 1);
        matrix_(row, column) = 0;
      }
    }
    // All rows above the corner.
    const Eigen::Index above = rows_ - 1 - last;
    Eigen::Index row = 0;
    for (; row + kTogether <= above; row += kTogether) turn_columns<kTogether>(row, last, 0, last + 1);
    for (; row < above; ++row) turn_columns<1>(row, last, 0, last + 1);
    return turns_;
  }

 private:
  static constexpr Eigen::Index kTogether = 4;

  Entry* entries(Eigen::Index row) { return reinterpret_cast<Entry*>(matrix_.data() + row * columns_); }

  static void turn_rows(const Turn<Scalar>& turn, Entry* __restrict first, Entry* __restrict second,
                        Eigen::Index count) {
    const Lane<Scalar> lane = turn.lane();
    for (Eigen::Index k = 0; k < count; ++k) {
      Entry a = first[k], b = second[k];
      lane.turn(a, b);
      first[k] = a;
      second[k] = b;
    }
  }

  // Real entries of four rows, two columns at a time: a pair of neighbours of one row is loaded at once, and two rows' pairs are
  // transposed, so that each register holds one column. Returns the first turn that is left over.
  Eigen::Index turn_columns_in_pairs(double* const* line, Eigen::Index from, Eigen::Index to) const {
    if (from + 2 > to) return from;
    using Pair = double __attribute__((vector_size(16), may_alias, aligned(8)));
    const auto pair_at = [&](Eigen::Index row, Eigen::Index column) -> Pair& {
      return *reinterpret_cast<Pair*>(line[row] + column);
    };
    Wave carried[2];
    for (Eigen::Index half = 0; half < 2; ++half)
      carried[half] = Wave{line[2 * half][1 - from], line[2 * half + 1][1 - from]};
    for (; from + 2 <= to; from += 2) {
      const Lane<double> one = turns_[from].lane(), next = turns_[from + 1].lane();
      for (Eigen::Index half = 0; half < 2; ++half) {
        const Wave upper = pair_at(2 * half, -from - 1), lower = pair_at(2 * half + 1, -from - 1);
        Wave near{upper[1], lower[1]}, far{upper[0], lower[0]}, &b = carried[half];
        one.turn(near, b);
        next.turn(far, near);
        pair_at(2 * half, -from) = Pair{near[0], b[0]};
        pair_at(2 * half + 1, -from) = Pair{near[1], b[1]};
        b = far;
      }
    }
    for (Eigen::Index row = 0; row < kTogether; ++row) line[row][1 - from] = carried[row / 2][row % 2];
    return from;
  }

  // Turns from … to - 1 of a sweep that began at columns (last, last + 1), on `kRows` rows from `row` on.
  template <Eigen::Index kRows>
  void turn_columns(Eigen::Index row, Eigen::Index last, Eigen::Index from, Eigen::Index to) {
    if (from == to) return;
    Entry* line[kRows];
    for (Eigen::Index k = 0; k < kRows; ++k) line[k] = entries(row + k) + last;
    if constexpr (kRows == kTogether && std::is_same_v<Scalar, double>) from = turn_columns_in_pairs(line, from, to);
    Entry carried[kRows];
    for (Eigen::Index k = 0; k < kRows; ++k) carried[k] = line[k][1 - from];
    for (Eigen::Index j = from; j < to; ++j) {
      const Lane<Scalar> lane = turns_[j].lane();
      for (Eigen::Index k = 0; k < kRows; ++k) {
        Entry a = line[k][-j];
        lane.turn(a, carried[k]);
        line[k][1 - j] = carried[k];
        carried[k] = a;
      }
    }
    for (Eigen::Index k = 0; k < kRows; ++k) line[k][1 - to] = carried[k];
  }

  Matrix matrix_;
  Eigen::Index rows_, columns_;
  std::vector<Turn<Scalar>> turns_;
};

}  // namespace helio::photonics
