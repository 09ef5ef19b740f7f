// SPDX-License-Identifier: Apache-2.0
// From a matrix to the mesh that multiplies by it: rectangular (Clements et al. 2016) and triangular (Reck et al. 1994)
// decomposition by nulling (papers/optinc.md, 7.1).
//
//   rectangular: entries below the diagonal vanish along anti-diagonals, by turns from the right (two columns
//   are mixed: an MZI at the inputs) and from the left (two rows: an MZI at the outputs):
//
//        [ ·  ·  ·  · ]        1 first, from the right; then 2, 3 from the left; then 4, 5, 6 from the right.
//        [ 4  ·  ·  · ]        What remains is diagonal; it is pushed through the MZIs of the left, so that
//        [ 2  5  ·  · ]        all phases of the diagonal stand at the outputs.
//        [ 1  3  6  · ]
//
//   triangular: column by column, from the bottom up, always from the left.
//
// n(n-1)/2 MZIs; O(n³) by two-row and two-column updates. A real matrix gives a mesh with all phases 0 or π.
//
// Isometries. The first r columns of a unitary (r inputs are lit) need only r(2n-r-1)/2 MZIs: entries below the
// diagonal of n × r. Depth at most n (rectangular) or n + r - 2 (triangular, r < n). The first r rows
// (r outputs are read) are the same backwards. A matrix of rank r thus costs two thin meshes and r amplitudes
// instead of two full ones.
#pragma once

#include <Eigen/Core>

#include "photonics/mesh.h"

namespace helio::photonics {

// What nulling leaves of a unitary matrix is diagonal, with entries of size 1: how far from that a matrix may be.
inline constexpr double kUnitaryTolerance = 1e-9;

// Of a unitary, or orthogonal, n × n matrix. Error (kInput) if it is not square, not finite or not unitary.
Mesh decompose(const Eigen::MatrixXcd& unitary, Layout layout = Layout::kRectangular);
Mesh decompose(const Eigen::MatrixXd& orthogonal, Layout layout = Layout::kRectangular);

// Of n × r with orthonormal columns (tall: inputs = r) or r × n with orthonormal rows (wide: outputs = r).
// A square one is a unitary. Error (kInput) as above.
Mesh decompose_isometry(const Eigen::MatrixXcd& isometry, Layout layout = Layout::kRectangular);
Mesh decompose_isometry(const Eigen::MatrixXd& isometry, Layout layout = Layout::kRectangular);

// MZIs that decompose_isometry spends on n modes of which r are lit or read: r(2n-r-1)/2; n(n-1)/2 for r = n.
long mzis_of_isometry(long modes, long lit);

}  // namespace helio::photonics
