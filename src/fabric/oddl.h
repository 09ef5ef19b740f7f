// SPDX-License-Identifier: Apache-2.0
// ODDL: an all-optical network with slices per job and circuits per flow.
//
// Li et al., "Fast and scalable all-optical network architecture for distributed deep learning", JOCN 16(3), 2024. Only its
// abstract is known: two time scales of light, flows scheduled one by one, distributed control. The model that follows from that
// is ours throughout (papers/oddl.md 2), and so is every number that it gives.
//
//   slow, per job    slice: (source group, plane, channel) -> destination node      oddl_slice.h, set in `wss`
//   fast, per flow   transmitter ── light ── receiver, tuned, locked and guarded    oddl_control.h decides who and when
//
//     node s ─▷ transmitter k ─┐ group of s                     ┌─▷ receiver k ─▷ node d
//                              └─▷ light (group, plane, channel) ┘         plane = k, k + trx, k + 2 trx, …
//
// Path rule, as an invariant that the engine enforces: a flow takes its transmitter, its light and its receiver, all or none, and
// nobody else has any of them until it ends; on the fibre of a group one channel means one destination node. Another circuit on
// any of the three is dark for tune + lock + guard.
//
// One slice serves all collectives of a program: what an earlier one lit stays. A collective whose pairs do not fit beside it is
// refused with the reason and what would fit.
//
// Several transceivers (`trx`) work on planes of their own. A flow is spread over all of them; or they `alternate`: flows of odd
// and even distance leave by different ones behind one port of `rate`, so that one is tuned while the other sends:
//
//     transceiver 0  ▒▒██████████▒▒██████████▒▒███        ▒ dark    █ the port's bytes, shared while both are lit
//     transceiver 1  ▒▒████░░░░░░████▒▒██████████▒▒       the first flow of transceiver 1 gets a smaller share, so that the
//                                                         two do not go dark together
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_oddl();
std::unique_ptr<Fabric> make_oddl(const Parameters& parameters);

}  // namespace helio::fabric
