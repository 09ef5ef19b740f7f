// SPDX-License-Identifier: Apache-2.0
// `mesh` and `torus`: nodes on a grid of any number of dimensions, a pair of links between neighbours.
//
//      0 ══ 1 ══ 2 ══ 3 ═┐        node = x0 + X0 (x1 + X1 (x2 + …)), here 4x2: node 6 is (2, 1)
//      ║    ║    ║    ║  │
//      4 ══ 5 ══ 6 ══ 7 ═┘        ═┐ only on the torus: the last of a row is joined to its first
//
// Dimension-ordered ("X-Y") routing: a move first goes all its way along dimension 0, then along dimension 1, and so on; on the
// torus the shorter way round, and half of its bytes each way when both are equal: only so does an exchange of all with all load the
// links of a line alike, and takes k/8 of a rank's bytes over rate on lines of an even k, (k^2-1)/8k on odd ones, which is what must
// cross the middle (docs/bounds.md). A multicast is a tree and goes towards increasing index then. Two nodes in a row of two are joined
// by one pair of links on the torus too. Each link crossed is a hop; a message does not wait whole at a node it passes (cut-through).
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_mesh();
std::unique_ptr<Fabric> make_mesh(const Parameters& parameters);

Description describe_torus();
std::unique_ptr<Fabric> make_torus(const Parameters& parameters);

}  // namespace helio::fabric
