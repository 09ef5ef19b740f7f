// SPDX-License-Identifier: Apache-2.0
// Who is dark when: the retune rules of a fabric whose lightpaths are circuits, put into a lowered program.
//
//   changed      a lightpath that the step before did not have pays. A channel's own memory is more lenient (what is still tuned
//                costs nothing, however long ago it was used), so the first round of each stretch is marked by hand.
//   every-step   every lightpath of every step pays: marked by the fabric when it routes, nothing to do here
//
// With `ahead` lightpaths whose channels rest while the stretch before runs are tuned meanwhile (the idea of SWOT, arXiv
// 2510.19322): an operation that only takes the channels and pays their setup runs beside that stretch.
//
//     step k      ██████████████                        step k      ██████████████
//     step k+1                  ░░░░██████████          tuning      ░░░░
//                               retune                  step k+1                  ██████████
#pragma once

#include "flow/program.h"

namespace helio::fabric {

// `entry` is what step order gives: chains of calls, one for each group (their tag), of templates of transfers or of sub-rounds.
// Requires: every transfer names its circuit.
void light_changed(flow::Program& program, flow::TemplateId entry, bool ahead);

}  // namespace helio::fabric
