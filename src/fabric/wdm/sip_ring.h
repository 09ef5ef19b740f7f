// SPDX-License-Identifier: Apache-2.0
// `sip-ring`: SiP-ML's ring of silicon photonics, whose wavelengths follow the demand (papers/oddl.md 3.1).
//
//   demand ─▶ wavelengths for each pair (sip_allocation.h) ─▶ dark for `retune` ─▶ light for `interval` ─▶ dark ─▶ …
//
//        ▓▓▓░░░░░░░░░░░░░▓▓▓░░░░░░░░░░░░░▓▓▓░░░░░░        ▓ ring-wide: no byte moves
//        retune interval                                  duty = interval / (interval + retune): 80 % at 25 and 100 us
//
// Each step of a collective is a demand; its shares are exact (whole wavelengths). Time is a model of ours in two parts: the periodic
// dark windows are a factor on every rate (the duty), and a step whose allocation is not that of the step before waits for a decision
// and is dark once more for `retune`, as is the first. `decisions` says how long the wait is: none (`at-change`), or half a
// period, the mean of what a strictly periodic decision takes (`periodic`). Two collectives at once share segments fluidly, and the
// dark time of one does not stop the other.
//
// The light is judged as that of `wdm-ring` (photonics/link_budget.h), each ring a bus of its own.
//
// A pair holds transmitters of its source (channels) and crosses segments (links, which count the traffic and join collectives).
#pragma once

#include <memory>

#include "fabric/fabric.h"
#include "fabric/footing.h"

namespace helio::fabric {

Description describe_sip_ring();
std::unique_ptr<Fabric> make_sip_ring(const Parameters& parameters);
// On an equal footing (footing.h): as many wavelengths of the usual rate as the injection takes, alike on all rings and both ways.
Settings footing_of_sip_ring(Settings given, const Footing& footing);

}  // namespace helio::fabric
