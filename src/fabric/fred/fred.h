// SPDX-License-Identifier: Apache-2.0
// FRED: NPUs of a wafer under a tree of switches that add and copy what passes (arXiv 2406.19580, ISCA 2025; papers/fred.md 2.6).
//
//     I/O ▷ ┌────────────────── L2 ──────────────────┐        20 NPUs, 18 I/O channels of 128 GB/s
//           │ 12 or 1.5 TB/s each                     │
//          L1        L1        L1        L1          L1        an all-reduce in the switches: up once, added on the way,
//        ╱ │ │ ╲   ╱ │ │ ╲                         ╱ │ │ ╲     down once, copied on the way
//       0  1 2  3  4 5 6  7   3 TB/s each         16 …    19
//
//     variant   uplink of an L1   adds in the switch          published (sections 6.2.3, 7.1, 8.1)
//     A         1.5 TB/s          no
//     B         1.5               yes
//     C         12                no
//     D         12                yes
//
// All variants copy: the published pipeline phase needs it. Two readings of what is inside (`structure`):
//
//     flat       links as above, and the groups of a request must route through one Fred_m(NPUs): the paper's claim. The L1s'
//                uplinks are shared by what crosses them.
//     chiplets   five planes of 600 GB/s per NPU link, two L2 chips per plane (derived from the published areas): every
//                collective gets an uplink of each L1 it touches in as many planes as can be, proven by routing every chiplet.
//
// Any radix and number of levels (`radix`): 4x5 is the wafer, 4x5x16 sixteen of them under one more level.
// Unicasts are routed online and need no proof: m ≥ 3 never blocks them.
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_fred();
std::unique_ptr<Fabric> make_fred(const Parameters& parameters);

}  // namespace helio::fabric
