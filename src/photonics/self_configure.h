// SPDX-License-Identifier: Apache-2.0
// Setting a mesh anew on a chip whose splitter errors and losses are known: phases move so that the built MZIs do what the
// drawn ones would have done. The limits are those of papers/optinc.md, 7.1; the procedure is ours.
//
//   1. MZI by MZI. A built MZI with splitters π/4 + α, π/4 + β can be set to
//          diag(e^iμ, e^iν) · T(θ, φ)      for every θ with  |sin(α + β)| ≤ cos θ ≤ cos(α - β)
//      by its own ψ and φ. What lies outside goes to the nearest end of that span. The phases μ, ν on its outputs are
//      handed on to the φ of the MZIs behind it and at last to the output phases.
//   2. All together, where the first step left a remainder: each phase in turn to where the overlap Re tr(U* M) with the
//      target is largest; it enters there as a sinusoid, so that its best value is known in closed form. Without loss
//      this is coordinate descent on the distance. A sweep that brings the distance down by less than 0.1 % ends it.
//
// The distance never rises: of the given, the corrected and the descended setting the best one is returned.
#pragma once

#include "photonics/imperfections.h"

namespace helio::photonics {

struct SelfConfiguration {
  Mesh mesh;             // the new phases, for the same chip
  double before = 0;     // distance of the chip's matrix from the target as given,
  double corrected = 0;  // after MZI by MZI,
  double after = 0;      // and as returned
  int unreachable = 0;   // MZIs whose θ lies outside their span
  int sweeps = 0;        // of the second step
};

// ‖gain · M - target‖ / ‖target‖ (Frobenius) with the real gain ≥ 0 that makes it smallest: loss that all paths share is
// made up by amplification and is no error.
double distance(const Eigen::MatrixXcd& made, const Eigen::MatrixXcd& target);

// `mesh` is the drawing and its matrix the target. Of `flaws` the splitters and losses are known and used;
// phase errors are known no better than before and left aside. `most_sweeps` bounds the second step (0: none).
SelfConfiguration self_configure(const Mesh& mesh, const Flaws& flaws, int most_sweeps = 20);

}  // namespace helio::photonics
