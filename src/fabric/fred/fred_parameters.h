// SPDX-License-Identifier: Apache-2.0
// What a user may say about a FRED fabric: every parameter once, and the struct that they fill.
#pragma once

#include <cstdint>
#include <vector>

#include "base/catalogue.h"
#include "base/range.h"
#include "fabric/fred/compression.h"
#include "fabric/tree_levels.h"

namespace helio::fabric {

struct FredOptions {
  TreeLevels levels;
  std::vector<BitRate> rates;  // of one link up from level 0, 1, …: NPU to L1, L1 to L2; each direction
  bool reduces = true, multicasts = true;
  std::uint32_t middles = 3;
  bool chiplets = false;
  std::uint32_t planes = 5, chips = 2;
  bool partial = true;  // chiplets: carry what does not fit on fewer planes
  Time latency, step_overhead;
  Time reconfigure;
  std::uint32_t io_channels = 18;
  BitRate io_rate;  // of one
  Compression compression;
  double joules_per_bit = 0;
  Range static_watts;  // of all switches

  // Of all links together, one direction.
  BitRate rate_of_links() const {
    BitRate all = io_rate * io_channels;
    for (std::uint32_t level = 0; level < levels.levels(); ++level) all += rates[level] * levels.switches(level);
    return all;
  }
};

std::vector<Parameter> fred_parameters();
// Throws Error(kInput) at its place for what contradicts itself.
FredOptions fred_options(const Parameters& parameters);

}  // namespace helio::fabric
