// SPDX-License-Identifier: Apache-2.0
#include "fabric/fred/fred_io.h"

#include <algorithm>
#include <numeric>

namespace helio::fabric {

// One byte of a stream: a share of it enters at every channel and is copied to the nodes of its shard, or leaves there, added.
std::vector<FredIoLoad> fred_io_loads(const TreeLevels& levels, std::span<const std::uint32_t> channels,
                                      std::span<const std::vector<NodeId>> shards, bool inward) {
  std::vector<FredIoLoad> loads;
  const double all = std::accumulate(channels.begin(), channels.end(), 0.0),
               each = 1.0 / static_cast<double>(shards.size());
  for (std::uint32_t level = 0; level < levels.levels(); ++level) {
    std::vector<double> own(levels.switches(level));  // share of the channels below
    for (std::uint32_t g = 0; level > 0 && g < channels.size(); ++g)
      own[g * levels.span(1) / levels.span(level)] += channels[g] / all;
    std::vector<double> to(own.size()), from(own.size());
    for (const std::vector<NodeId>& shard : shards) {
      const std::vector<std::uint32_t> with = levels.above(shard, level);
      for (const std::uint32_t s : with) to[s] += each * (1 - own[s]);
      for (std::uint32_t s = 0; s < own.size(); ++s)
        if (with.size() > (std::ranges::binary_search(with, s) ? 1u : 0u)) from[s] += each * own[s];
    }
    for (std::uint32_t s = 0; s < own.size(); ++s) {
      if (to[s] > 0) loads.push_back({level, s, !inward, to[s]});
      if (from[s] > 0) loads.push_back({level, s, inward, from[s]});
    }
  }
  return loads;
}

}  // namespace helio::fabric
