// SPDX-License-Identifier: Apache-2.0
// `cluster`: servers of NPUs on an NVLink-class switch, joined by an InfiniBand-class network; the defaults are DGX A100.
//
//      server 0                    server 1                     rails
//     ┌───────────────────┐       ┌───────────────────┐
//     │  [NVLink switch]  │       │  [NVLink switch]  │         NIC i of every server is on switch i, which never blocks:
//     │   │   │   │   │   │       │   │   │   │   │   │         2 hops of `latency` in a server, 2 of `network_latency` between
//     │   0   1   2   3   │       │   4   5   6   7   │         servers. To another rail over the NVLink switch of the *sending*
//     │   │   │   │   │   │       │   │   │   │   │   │         server, to its NPU that sits where the receiver does, and on from
//     └──N0──N1──N2──N3───┘       └──N0──N1──N2──N3───┘         that one's NIC: 2 hops of each (NCCL's PXN). 0 to 7 is 0, 3, 7.
//         │   │   │   └─── rail 3 ────│───│───│───┘
//         └───│───│─────── rail 0 ────┘   …                     fat-tree
//                                                               all NICs of `leaf` servers are on one leaf switch, its uplinks
//        [spine 0]  [spine 1]  …                                lead to a spine each: 2 network hops on a leaf, 4 between leaves.
//           │  ╲    ╱  │                                        Of equal ways a hash of the two ends and `seed` picks one (ECMP).
//        [leaf 0]  [leaf 1]  …                                  `oversubscription` takes uplinks away, the rest keep their rate.
//
// NPU i of a server uses NIC ⌊i · nics / npus_per_node⌋; NICs hang on the NPUs' PCIe and not on the NVLink switch. Links
// carry payload: rate times `efficiency`. Each message pays for its protocol (protocols.h), each collective for its
// `launch`, once. Invariant: what goes between two NPUs of a server never leaves it.
//
// A. Li et al., "Evaluating modern GPU interconnect", TPDS 31(1), 2020, for the two classes of links; NVIDIA, "Doubling
// all2all performance with NVIDIA Collective Communication Library 2.12", 2022, for rails and PXN.
#pragma once

#include <memory>

#include "fabric/fabric.h"
#include "fabric/footing.h"

namespace helio::fabric {

Description describe_cluster();
std::unique_ptr<Fabric> make_cluster(const Parameters& parameters);
// On an equal footing (footing.h): its ports into the server's switch inject, NICs keep their part of that, and one endpoint cost
// stands for NCCL's protocols and launch. Servers of one NPU have NICs alone.
Settings footing_of_cluster(Settings given, const Footing& footing);

}  // namespace helio::fabric
