// SPDX-License-Identifier: Apache-2.0
// A WDM ring from above, a step at a time: who sends to whom, which nodes form a sub-tree, who represents it (drawn by web/ring.js).
#pragma once

#include "report/figures/figure.h"
#include "report/figures/lit_ring.h"

namespace helio::report {

Figure ring_figure(const LitRing& ring);

}  // namespace helio::report
