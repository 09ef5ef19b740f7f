// SPDX-License-Identifier: Apache-2.0
// What a carrier shows of a collective that it carried, for reports to draw: light on a ring, configured switches.
#pragma once

#include <variant>

#include "fabric/fred/fred_picture.h"
#include "fabric/wdm/lit_ring.h"

namespace helio::fabric {

// Nothing, where a fabric has nothing that its links do not tell.
using Picture = std::variant<std::monostate, LitRing, FredPicture>;

}  // namespace helio::fabric
