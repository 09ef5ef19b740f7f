// SPDX-License-Identifier: Apache-2.0
#include "schedule/bidirectional_ring.h"

#include <array>

#include "schedule/fact_kinds.h"
#include "schedule/ring.h"

namespace helio::schedule {
namespace {

constexpr std::array kBothWays = {+1, -1};

// The first half of the moves of each phase walks one way, the second the other.
void fix_directions(Schedule& schedule) {
  for (Phase& phase : schedule.phases)
    for (std::size_t i = 0; i < phase.moves.size(); ++i)
      phase.moves[i].lane.direction = i < phase.moves.size() / 2 ? 0 : 1;
}

Schedule build_both_ways(const CollectiveRequest& request, const Capabilities& capabilities,
                         const Parameters& parameters) {
  Schedule schedule = walk_ring("bidirectional-ring", kBothWays, request, capabilities, parameters);
  if (capabilities.nodes == 2 && capabilities.directions == 2) fix_directions(schedule);
  return schedule;
}

}  // namespace

AlgorithmEntry bidirectional_ring() {
  return {
      {.name = "bidirectional-ring",
       .summary = "half of each block walks the ring one way, half the other; half the time of ring on duplex links",
       .reference = "Patarasuk & Yuan 2009",
       .parameters = {chunks_parameter("bidirectional-ring")},
       .facts = {kChunksFact}},
      {.kinds = {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kBroadcast, Kind::kReduce},
       .build = build_both_ways}};
}

}  // namespace helio::schedule
