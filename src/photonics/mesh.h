// SPDX-License-Identifier: Apache-2.0
// A mesh of MZIs: a linear optical network of n waveguides ("modes") that multiplies a vector of field amplitudes by a
// matrix. Every MZI joins two modes, neighbours but for trees (mesh_tree.h); MZIs that do not meet stand in the same column (papers/optinc.md, 7.1).
//
//   rectangular (Clements), depth n              triangular (Reck), depth 2n - 3
//     column 0   1   2   3                         column 0   1   2   3   4
//     0  ────╳───────╳───────e^iω₀──▷              0  ────────────╳───────────e^iω₀──▷
//     1  ────╳───╳───╳───╳───e^iω₁──▷              1  ────────╳───╳───╳───────e^iω₁──▷
//     2  ────╳───╳───╳───╳───e^iω₂──▷              2  ────╳───╳───╳───╳───╳───e^iω₂──▷
//     3  ────╳───────╳───────e^iω₃──▷              3  ────╳───────╳───────╳───e^iω₃──▷
//
//   U = diag(e^iω) · T_last · … · T_first, each T as in mzi.h on modes (mode, mode + 1) and the identity elsewhere.
//
// Light may enter by the first `inputs` modes only and be read from the first `outputs` modes only; the others are
// dark or discarded. Then the mesh needs fewer MZIs (decompose.h) and its matrix is outputs × inputs.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "photonics/mzi.h"

namespace helio::photonics {

enum class Layout {
  kRectangular,  // Clements et al. 2016: depth n, paths of nearly equal length
  kTriangular,   // Reck et al. 1994: depth 2n - 3
};

struct Mzi {
  int mode = 0;    // the upper one of its two
  int column = 0;  // how many columns the light passed before
  double theta = 0, phi = 0;
  int span = 1;  // modes down to its lower one; waveguides between the two have ended (mesh_tree.h)

  int lower() const { return mode + span; }
};

// Invariant: MZIs are sorted by column, then mode; no two of a column share a mode.
struct Mesh {
  int modes = 0;
  int inputs = 0, outputs = 0;  // lit and read modes, counted from mode 0; at most `modes`
  Layout layout = Layout::kRectangular;
  std::vector<Mzi> mzis;
  std::vector<double> output_phases;  // ω, one per mode
};

// Points (columns) that go through a mesh together: one mode's amplitudes lie side by side.
using ComplexBatch = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Columns of the mesh, 0 without MZIs.
int depth(const Mesh& mesh);
// Whether all its phases are 0 or ±π, so that real amplitudes stay real.
bool is_real(const Mesh& mesh);

// The waves at the outputs for those at the inputs: inputs × points in, outputs × points out.
// Requires: as many rows as the mesh has inputs.
ComplexBatch propagate(const Mesh& mesh, const ComplexBatch& in);

// outputs × inputs.
Eigen::MatrixXcd matrix(const Mesh& mesh);

// The mesh of the adjoint matrix: the same MZIs walked backwards, phases moved to its outputs.
Mesh adjoint(const Mesh& mesh);

// MZIs moved to the earliest column that their neighbours allow, and sorted: makes the invariant true.
// Requires: `mzis` in an order in which light may meet them.
void settle_columns(Mesh& mesh);

}  // namespace helio::photonics
