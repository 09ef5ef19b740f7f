// SPDX-License-Identifier: Apache-2.0
// OptINC: a switch whose light passes through an optical neural network, which averages and quantises gradients in flight.
//
// Fei et al., "OptINC: Optical In-Network-Computing for Scalable Distributed Learning", arXiv 2603.28290, 2026. Its abstract and
// a few secondary points are known; the model is a reconstruction and ours (papers/optinc.md 2).
//
//     server 0 ─ K symbols ─▷╲                     ╱▷ server 0       up: float32 → B-bit code → K = B/M symbols of M bits
//     server 1 ─ K symbols ─▷ combine ▷ ONN ▷ split ▷ server 1       combine: K sums, position by position
//        …                  ╱                      ╲    …            ONN: K symbols of the rounded average
//     server N-1 ───────── ▷                        ▷ server N-1     split: everybody hears the same light
//
// Every server sends its gradients once and receives the average once: 1 where a ring sends 2(N-1)/N.
//
//   time       latency of the links up and down + what the ONNs take + bytes·B/32 / rate
//   ONN        one instance takes one element per symbol time, K·M·baud bits a second of each server; `instances` side by side
//              carry the line rate, or bind where there are fewer
//   cascade    N servers under each switch, N switches under the next, …; a switch hands on `fraction` further symbols of its
//              average on lanes of their own, so that the last one rounds as if it had seen all (papers/optinc.md 2.6)
//
//     level 2           ┌──── ONN ────┐            up: K + fraction symbols;  down: K symbols, split again
//     level 1        ┌ ONN ┐  …    ┌ ONN ┐
//                    0 … N-1         … N²-1        ports without a server send the code of zero
//
// It cannot carry the numbers of one server to another: what leaves it is an average of all that its ports send.
#pragma once

#include <memory>

#include "fabric/fabric.h"

namespace helio::fabric {

Description describe_optinc();
std::unique_ptr<Fabric> make_optinc(const Parameters& parameters);

}  // namespace helio::fabric
