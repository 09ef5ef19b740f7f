// SPDX-License-Identifier: Apache-2.0
#include "fabric/oddl/oddl_parts.h"

#include <algorithm>
#include <iterator>

namespace helio::fabric {

std::variant<std::vector<RunPart>, std::vector<NodePair>> cut_into_parts(const schedule::Schedule& schedule,
                                                                         std::span<const std::vector<NodeId>> groups,
                                                                         const PairsFit& fits) {
  std::vector<RunPart> parts;
  for (std::uint32_t phase = 0; phase < schedule.phases.size(); ++phase) {
    std::vector<NodePair> pairs = pairs_of(schedule, phase, groups);

    // With those before it, where that fits
    if (!parts.empty()) {
      RunPart& part = parts.back();
      std::vector<NodePair> longer;
      std::set_union(part.pairs.begin(), part.pairs.end(), pairs.begin(), pairs.end(), std::back_inserter(longer));
      if (longer.size() == part.pairs.size() || fits(longer)) {
        part.pairs = std::move(longer);
        part.last_phase = phase + 1;
        continue;
      }
    }

    // Else after a change
    if (!fits(pairs)) return pairs;
    parts.push_back({phase, phase + 1, std::move(pairs)});
  }
  return parts;
}

std::vector<RunPart> parts_by_light(const schedule::Schedule& schedule, std::span<const std::vector<NodeId>> groups,
                                    const std::function<bool(std::uint32_t part, const NodePair&)>& lit) {
  std::vector<RunPart> parts(1);
  for (std::uint32_t phase = 0; phase < schedule.phases.size(); ++phase) {
    const std::vector<NodePair> pairs = pairs_of(schedule, phase, groups);
    const auto part = static_cast<std::uint32_t>(parts.size() - 1);
    if (!std::ranges::all_of(pairs, [&](const NodePair& pair) { return lit(part, pair); }))
      parts.push_back({phase, phase, {}});
    RunPart& now = parts.back();
    std::vector<NodePair> longer;
    std::set_union(now.pairs.begin(), now.pairs.end(), pairs.begin(), pairs.end(), std::back_inserter(longer));
    now.pairs = std::move(longer);
    now.last_phase = phase + 1;
  }
  return parts;
}

schedule::Schedule schedule_of(const schedule::Schedule& schedule, const RunPart& part) {
  schedule::Schedule some = schedule;
  some.phases.assign(schedule.phases.begin() + part.first_phase, schedule.phases.begin() + part.last_phase);
  return some;
}

}  // namespace helio::fabric
