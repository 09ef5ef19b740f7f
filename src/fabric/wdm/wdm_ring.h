// SPDX-License-Identifier: Apache-2.0
// `wdm-ring`: nodes on a ring of fibre, so many wavelengths each way; a lightpath holds its wavelength on every segment that it
// crosses.
//
//     clockwise          ══▶ 0 ══▶ 1 ══▶ 2 ══▶ … ══▶ N-1 ══▶        `fibres` per direction, `wavelengths` on each
//     counter-clockwise  ◀══ 0 ◀══ 1 ◀══ 2 ◀══ … ◀══ N-1 ◀══        segment i joins i and i+1
//
//       node:  comb laser ▷ row of ring modulators ▷ fibre ▷ row of ring filters ▷ one receiver per wavelength
//              (the node of TeraRack and SiP-ML, as WRHT assumes it: papers cited in the catalogue)
//
// A move without a lane gets the shorter direction and the first wavelength that is free (wavelengths.h); when they run out, its
// round is divided into sub-rounds, each of which counts as a step. A schedule that fixes lanes (WRHT) is taken at its word and
// checked. `retune` follows retune.h. There is no wavelength conversion; a node may drive `drive` wavelengths at once.
//
// Invariant: in step order no (direction, fibre, segment, wavelength) is used twice in a step. Reduction takes no time, and the ring
// starts dark. The link budget (photonics/link_budget.h) is always reported and, with `enforce_budget`, kept: passively, or with the
// `amplifiers` and `regenerators` that are allowed.
#pragma once

#include <memory>

#include "fabric/fabric.h"
#include "fabric/footing.h"

namespace helio::fabric {

Description describe_wdm_ring();
std::unique_ptr<Fabric> make_wdm_ring(const Parameters& parameters);
// On an equal footing (footing.h): as many wavelengths of the usual rate as the injection takes.
Settings footing_of_wdm_ring(Settings given, const Footing& footing);

}  // namespace helio::fabric
