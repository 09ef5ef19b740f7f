// SPDX-License-Identifier: Apache-2.0
// A run of a collective that does not fit into the light at once, cut into parts between which the WSS change (papers/oddl.md 2.2;
// ours).
//
//   phases   │ 0  1  2  3 │ 4  5  6  7 │ 8  9 │        halving-doubling of 1,024 nodes on one plane of 96 channels:
//   part     │     0      │     1      │  2   │        distances 512 256 128 │ 64 32 16…1 1…16 32 64 │ 128 256 512
//            lit ────▶ wss ────▶ lit ─▶ wss ─▶         3 parts, 2 changes; the last has the setting of the first
//
// Greedy and therefore with the fewest parts: a phase joins the part before it while all of that part's pairs can be lit together,
// and what can be lit together can be so with less.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "fabric/oddl/oddl_slice.h"

namespace helio::fabric {

struct RunPart {
  std::uint32_t first_phase = 0, last_phase = 0;  // [first, last) of the schedule
  std::vector<NodePair> pairs;                    // in order, without repeats
};

using PairsFit = std::function<bool(std::span<const NodePair>)>;

// `groups[g][p]` is the node of position p in group g of the request. The parts; or, where a phase alone does not fit, its pairs.
std::variant<std::vector<RunPart>, std::vector<NodePair>> cut_into_parts(const schedule::Schedule& schedule,
                                                                         std::span<const std::vector<NodeId>> groups,
                                                                         const PairsFit& fits);

// The same where each part's light is given: a phase belongs to the part before it while that has all of its light, because a part
// began with what the one before it lacked. `lit` says whether a part has the light of a pair.
std::vector<RunPart> parts_by_light(const schedule::Schedule& schedule, std::span<const std::vector<NodeId>> groups,
                                    const std::function<bool(std::uint32_t part, const NodePair&)>& lit);

// The phases of one part as a schedule of their own.
schedule::Schedule schedule_of(const schedule::Schedule& schedule, const RunPart& part);

}  // namespace helio::fabric
