// SPDX-License-Identifier: Apache-2.0
// A mesh as the light meets it: one 2×2 transfer per MZI and one factor per output, whatever made them (a drawing, or a
// chip with its errors: imperfections.h).
//
// A batch of points walks through together, in blocks that stay in the cache: for each MZI in turn, column by column of the
// mesh, the two modes' amplitudes of all points of the block, which lie side by side.
#pragma once

#include <vector>

#include "photonics/mesh.h"

namespace helio::photonics {

// Invariant: mzi_modes, transfers and, unless it is empty, mzi_spans have the same length, in an order in which light may meet them.
struct RealisedMesh {
  int modes = 0, inputs = 0, outputs = 0;
  std::vector<int> mzi_modes;       // the upper mode of each MZI
  std::vector<Transfer> transfers;  // of each MZI
  std::vector<Complex> output;      // factor of each mode behind the last MZI
  std::vector<int> mzi_spans = {};  // modes down to the lower one of each MZI; empty: 1 each
};

// The mesh as drawn.
RealisedMesh ideal(const Mesh& mesh);

// Inputs × points in, outputs × points out. Requires: as many rows as the mesh has inputs.
ComplexBatch propagate(const RealisedMesh& mesh, const ComplexBatch& in);
// outputs × inputs.
Eigen::MatrixXcd matrix(const RealisedMesh& mesh);

}  // namespace helio::photonics
