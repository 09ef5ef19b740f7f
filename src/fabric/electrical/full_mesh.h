// SPDX-License-Identifier: Apache-2.0
// `full-mesh`: a link each way between every two nodes; every way is one hop.
//
//      0 ═══ 1
//      ║ ╲ ╱ ║       n (n-1) links; a node may drive all of its n-1 links at once
//      ║ ╱ ╲ ║
//      2 ═══ 3
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_full_mesh();
std::unique_ptr<Fabric> make_full_mesh(const Parameters& parameters);

}  // namespace helio::fabric
