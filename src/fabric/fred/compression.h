// SPDX-License-Identifier: Apache-2.0
// Compression at the ports of a fabric: what a vector of 16-bit elements weighs on a wire (ours; no published counterpart).
//
//     none    every element as it is
//     fp8     every element in 8 bits (E4M3, with a scale that a block of elements shares): half
//     top-k   the largest elements: as many as leave an error of `error`, with a bit for every element that says which:
//             keep + 1/16; or the share `keep` of them, each with a 32-bit index: 3·keep. Dense where that is more
//
// What is added on its way keeps every element that any contribution kept: q contributions at most q·keep. Both ends
// take `codec_delay`. What it does to the values is emulate/codec.h's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/catalogue.h"
#include "base/time.h"
#include "schedule/capabilities.h"

namespace helio::fabric {

struct Compression {
  schedule::WireFormat format = schedule::WireFormat::kPlain;
  double keep = 1;      // kTopK
  bool bitmap = false;  // kTopK: a bit for every element in place of indices of the kept ones
  Time codec_delay;     // at each end

  // Bytes on a wire per byte of the vector, of the sum of so many contributions.
  double factor(std::uint32_t contributions) const;
  Time delay() const { return format == schedule::WireFormat::kPlain ? Time() : codec_delay * 2; }
};

// The share of normal deviates, the largest, without which the others are `error` of the whole, by the root of the mean square.
// Requires: 0 < error < 1.
double keep_for(double error);

// `compression`, `error`, `keep`, `codec_delay`; `example` as in parameters.h.
std::vector<Parameter> compression_parameters(const std::string& example);
Compression compression_from(const Parameters& parameters);

}  // namespace helio::fabric
