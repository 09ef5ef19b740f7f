// SPDX-License-Identifier: Apache-2.0
// The map of a WDM ring: segment by wavelength, a picture for each direction, a step at a time (drawn by web/wavelengths.js).
//
//     clockwise: 2 of 2 wavelengths used          step 1 of 3: gather 1
//       λ0   ──1→2── ──6→7── …
//       λ1 ────0→2──────── ──5→7──
#pragma once

#include <string>

#include "fabric/wdm/lit_ring.h"
#include "report/figures/figure.h"

namespace helio::report {

Figure wavelength_figure(const fabric::LitRing& ring, const std::string& algorithm);

// How many different wavelengths a step lights, of one direction: the larger; where they have no numbers, the most on a segment.
std::uint32_t wavelengths_lit(const fabric::LitStep& step, const fabric::LitRing& ring);

}  // namespace helio::report
