// SPDX-License-Identifier: Apache-2.0
#include "placement/rank_map.h"

namespace helio::placement {

RankMap::RankMap(const Strategy& strategy) : size_(strategy.npus()), first_(strategy.first), explicit_(strategy.ranks) {
  const std::array<std::uint64_t, 3> extent = {static_cast<std::uint64_t>(strategy.tp),
                                               static_cast<std::uint64_t>(strategy.replicas()),
                                               static_cast<std::uint64_t>(strategy.pp)};
  std::uint64_t stride = 1;
  for (const int dimension : strategy.rank_order) {
    stride_[static_cast<std::size_t>(dimension)] = stride;
    stride *= extent[static_cast<std::size_t>(dimension)];
  }
}

NodeId RankMap::node(int stage, int replica, int tensor) const {
  const std::uint64_t rank = stride_[0] * static_cast<std::uint64_t>(tensor) +
                             stride_[1] * static_cast<std::uint64_t>(replica) +
                             stride_[2] * static_cast<std::uint64_t>(stage);
  if (!explicit_.empty()) return NodeId{explicit_[rank]};
  return NodeId{first_ + static_cast<std::uint32_t>(rank)};
}

}  // namespace helio::placement
