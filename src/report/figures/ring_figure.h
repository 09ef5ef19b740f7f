// SPDX-License-Identifier: Apache-2.0
// A WDM ring from above, a step at a time: who sends to whom, which nodes form a sub-tree, who represents it (drawn by web/ring.js).
#pragma once

#include <string>

#include "fabric/wdm/lit_ring.h"
#include "report/figures/figure.h"

namespace helio::report {

Figure ring_figure(const fabric::LitRing& ring, const std::string& algorithm);

// The data of both pictures of a ring: web/wavelengths.js, web/ring.js.
nlohmann::ordered_json to_json(const fabric::LitRing& ring);

}  // namespace helio::report
