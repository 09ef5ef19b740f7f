// SPDX-License-Identifier: Apache-2.0
// `fat-tree`: the k-ary tree of three levels, built of switches with k ports each
// (M. Al-Fares, A. Loukissas, A. Vahdat, "A scalable, commodity data center network architecture", SIGCOMM 2008).
//
//      core          [c]    [c]    [c]    [c]          (k/2)² switches; core j of group a is joined to aggregation a of every pod
//                     │ ╲   ╱ │     …
//      aggregation   [a]    [a]  │  [a]    [a]         k/2 per pod
//                     │  ╲╱  │   │   │  ╲╱  │
//      edge          [e]    [e]  │  [e]    [e]         k/2 per pod; an edge switch and its k/2 hosts are a rack
//                    ╱ ╲    ╱ ╲  │  ╱ ╲    ╱ ╲
//      hosts        0   1  2   3 │ 4   5  6   7        k³/4; here k = 4, two of its four pods
//
// A way has 2 hops within a rack, 4 within a pod, 6 between pods. Going up there is a choice of k/2 aggregation switches, then of k/2
// cores; the way down is then fixed. Invariant: what goes between the same two
// ends always goes the same way.
//
// Why a ring of ranks in host order never shares a link, whatever the hash says: exactly one flow leaves each rack and one enters
// it, and exactly one leaves and one enters each pod. Links above the hosts belong to one rack or one pod and carry only what
// enters or leaves it, so none carries two.
#pragma once

#include <cstdint>
#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

inline constexpr std::uint32_t kMostFatTreePorts = 256;  // 4,194,304 hosts

// The smallest even k whose tree has that many hosts.
std::uint32_t smallest_fat_tree(std::uint64_t nodes);

Description describe_fat_tree();
std::unique_ptr<Fabric> make_fat_tree(const Parameters& parameters);

}  // namespace helio::fabric
