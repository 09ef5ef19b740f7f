// SPDX-License-Identifier: Apache-2.0
// What a schedule with fixed lanes does to a ring: walked segment by segment, knowing nothing of how lanes were chosen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "schedule/schedule.h"

namespace helio::schedule {

struct Light {
  std::string conflict;  // the first (direction, segment, wavelength) that two moves of a round share, or ""
  std::int32_t wavelengths = 0;
  Position longest_hops = 0;
};

// Segment i joins i and i+1. Moves of a phase are active in windows, so it suffices to look where a window begins.
inline Light light_of(const Schedule& schedule) {
  Light light;
  const Position n = schedule.ranks;
  for (const Phase& phase : schedule.phases)
    for (const Move& move : phase.moves)
      light.wavelengths = std::max(light.wavelengths, move.lane.wavelength + move.lane.width);
  for (const Phase& phase : schedule.phases) {
    std::set<std::uint32_t> begins;
    for (const Move& move : phase.moves) begins.insert(window(move, phase).first);
    for (const std::uint32_t round : begins) {
      std::vector<bool> taken(static_cast<std::size_t>(2 * n) * static_cast<std::size_t>(light.wavelengths));
      for (const Move& move : phase.moves) {
        const Window active = window(move, phase);
        if (round < active.first || round >= active.last) continue;
        if (move.lane.direction < 0 || move.lane.wavelength < 0) return {.conflict = "a move has no lane"};
        const Position step = move.lane.direction == 0 ? 1 : n - 1;
        Position hops = 0;
        for (Position at = move.source; at != move.destination; at = (at + step) % n, ++hops) {
          const Position segment = move.lane.direction == 0 ? at : (at + n - 1) % n;
          for (std::int32_t i = 0; i < move.lane.width; ++i) {
            const std::size_t channel = static_cast<std::size_t>(move.lane.direction * n + segment) *
                                            static_cast<std::size_t>(light.wavelengths) +
                                        static_cast<std::size_t>(move.lane.wavelength + i);
            if (taken[channel] && light.conflict.empty())
              light.conflict = fmt::format("{}: direction {}, segment {}, wavelength {}", phase.name,
                                           move.lane.direction, segment, move.lane.wavelength + i);
            taken[channel] = true;
          }
        }
        light.longest_hops = std::max(light.longest_hops, hops);
      }
    }
  }
  return light;
}

}  // namespace helio::schedule
