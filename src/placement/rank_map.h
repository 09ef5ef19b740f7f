// SPDX-License-Identifier: Apache-2.0
// Which node holds which part of the model: (stage, replica, tensor rank) → node. Ranks that share sequences are replicas
// here, next to each other.
//
// Ranks are counted with the fastest dimension first: in the order tp, dp, pp (Megatron's) the tensor-parallel ranks of a cell
// are neighbours, so that they share a server.
#pragma once

#include <array>
#include <vector>

#include "base/id.h"
#include "placement/strategy.h"

namespace helio::placement {

class RankMap {
 public:
  explicit RankMap(const Strategy& strategy);

  NodeId node(int stage, int replica, int tensor) const;
  std::uint64_t size() const { return size_; }

 private:
  std::array<std::uint64_t, 3> stride_{};  // of tp, dp, pp
  std::uint64_t size_;
  std::uint32_t first_;
  std::vector<std::uint32_t> explicit_;
};

}  // namespace helio::placement
