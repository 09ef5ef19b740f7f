// SPDX-License-Identifier: Apache-2.0
// RotorNet and Sirius: light that follows a calendar, whoever wants what (Mellette et al., SIGCOMM 2017; Ballani et al., SIGCOMM 2020).
//
//        slot 0            slot 1            slot 2
//      0 ─▶ 1            0 ─▶ 2            0 ─▶ 3         one uplink, four nodes: in slot s node i is joined to i + s + 1,
//      1 ─▶ 2            1 ─▶ 3            1 ─▶ 0         and after N - 1 slots all over again
//      2 ─▶ 3            2 ─▶ 0            2 ─▶ 1
//      3 ─▶ 0            3 ─▶ 1            3 ─▶ 2
//
//   direct    a flow waits for the slots of its pair: all of the light where everybody sends to everybody alike, 1 / (N - 1) of it for one
//             partner                                                                                        (rotor_control.h)
//   two-hop   whatever slot it is, its partner takes the bytes and hands them on in the slot that it has with their destination (Valiant):
//             half of the light for any traffic, and whoever is handed on last waits a cycle
//
// Of two hops, only what is promised is modelled: each node sends and hears at half of its lit rate. The light (k, j) carries 1 / (N - 1) of
// what k sends and of what j hears, so that nothing more is to be had where all nodes send alike; a lone flow could have twice that.
#pragma once

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_rotor();
std::unique_ptr<Fabric> make_rotor(const Parameters& parameters);

}  // namespace helio::fabric
