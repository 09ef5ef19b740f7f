// SPDX-License-Identifier: Apache-2.0
// `ring`: n nodes on a bidirectional ring, one link per direction between neighbours.
//
//        ──▶  0 ══ 1 ══ 2 ══ 3  ──▶        ══ is a pair of links, one each way
//        ◀──  ╚═════════════╝   ◀──
//
// A move takes the shorter way round (clockwise, towards increasing index, when both are equal) unless its lane fixes the
// direction. Each link crossed is a hop. A message does not wait whole at a node it passes (cut-through).
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_ring();
std::unique_ptr<Fabric> make_ring(const Parameters& parameters);

}  // namespace helio::fabric
