// SPDX-License-Identifier: Apache-2.0
#include "schedule/bidirectional_ring.h"

#include <array>

#include "schedule/ring.h"

namespace helio::schedule {

AlgorithmEntry bidirectional_ring() {
  static constexpr std::array kBothWays = {+1, -1};
  return {{.name = "bidirectional-ring",
           .summary = "half of each block walks the ring one way, half the other; half the time of ring on duplex links",
           .reference = "Patarasuk & Yuan 2009",
           .parameters = {chunks_parameter("bidirectional-ring")}},
          {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
           .build = [](const auto& request, const auto& capabilities, const auto& parameters) {
             return walk_ring("bidirectional-ring", kBothWays, request, capabilities, parameters);
           }}};
}

}  // namespace helio::schedule
