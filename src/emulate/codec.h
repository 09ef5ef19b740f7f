// SPDX-License-Identifier: Apache-2.0
// What compressing ports do to values (fabric/fred/compression.h has what it does to bytes; both are ours).
//
//     sender ──[enter]──▶ wire ──▶ switch adds exactly ──[leave]──▶ wire ──▶ receiver
//
//     fp8     enter and leave: every element to the nearest of E4M3 (4 bits of exponent, 3 of mantissa, largest 448), times
//             a scale that the message shares: its largest element / 448
//     top-k   enter: the share `keep` of the elements that are largest in size, the others become zero; leave: nothing, since
//             a sum keeps what any contribution kept
//
// Ties of top-k go to the first. At least one element is kept.
#pragma once

#include <memory>
#include <span>

#include "schedule/capabilities.h"

namespace helio::emulate {

class Codec {
 public:
  virtual ~Codec() = default;
  virtual void enter(std::span<double> message) const = 0;  // at the port of a sender
  virtual void leave(std::span<double> message) const = 0;  // where the fabric hands a sum on
};

// Nothing for plain wires. Requires: 0 < keep <= 1.
std::unique_ptr<Codec> codec_for(schedule::WireFormat format, double keep);

// The nearest number of E4M3, ties to even, beyond 448 the largest. Requires: finite.
double nearest_e4m3(double value);

}  // namespace helio::emulate
