// SPDX-License-Identifier: Apache-2.0
// The order in which one pipeline stage runs the forward and backward passes of its micro-batches.
//
//     gpipe        F0 F1 F2 F3 B0 B1 B2 B3
//     1f1b         stage 0 of 2:  F0 F1 B0 F2 B1 F3 B2 B3         as many F ahead as there are stages behind
//     interleaved  the same over `chunks` model parts per stage, taken in turns of P micro-batches
//                  (Narayanan et al., Efficient large-scale language model training on GPU clusters, SC 2021)
#pragma once

#include <cstdint>
#include <vector>

#include "placement/strategy.h"

namespace helio::placement {

struct Pass {
  bool backward = false;
  int chunk = 0;
  std::uint64_t micro_batch = 0;
  friend bool operator==(const Pass&, const Pass&) = default;
};

std::vector<Pass> passes_of(const Strategy& strategy, int stage);
// How many forward passes go before the first backward that has one right before it. Requires: not streaming.
std::uint64_t passes_ahead(const Strategy& strategy, int stage);

}  // namespace helio::placement
