// SPDX-License-Identifier: Apache-2.0
#include "schedule/levels/averaged_twice.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace helio::schedule {

void append_averaged_twice(const AveragedTwice& how, const LevelStage::Team& team, std::string_view level,
                           Schedule& schedule) {
  const auto n = static_cast<std::uint32_t>(team.holders.size()),
             m = static_cast<std::uint32_t>(team.holders.front().size());
  const double ranks = m;
  schedule.stages.push_back(
      {.part = how.level, .schedule = how.sums, .share = how.part * (ranks - 1), .teams = {team}, .chain = how.chain});
  schedule.stages.push_back(
      {.part = how.level, .schedule = how.averages, .share = how.part * ranks, .teams = {team}, .chain = how.chain});

  // Holder i of all units, as one end
  std::vector<Position> everywhere;
  for (std::uint32_t i = 0; i < m; ++i) {
    std::vector<Position> members;
    for (const std::vector<Position>& holders : team.holders) members.push_back(holders[i]);
    std::ranges::sort(members);
    schedule.sets.push_back(std::move(members));
    everywhere.push_back(~static_cast<Position>(schedule.sets.size() - 1));
  }

  // Block b of collector c begins at c n + b
  Phase sums{.name = fmt::format("sums in {}", level), .moves = {}},
      averages{.name = fmt::format("averages in {}", level), .moves = {}};
  for (std::uint32_t c = 0; c < m; ++c) {
    for (std::uint32_t b = 0; b < n; ++b)
      for (std::uint32_t i = 0; i < m; ++i) {
        if (i == c) continue;
        const std::uint32_t slot = how.first + (c * n + b) * how.each;
        sums.moves.push_back({.source = everywhere[i],
                              .destination = team.holders[(b + i) % n][c],
                              .source_slot = slot,
                              .destination_slot = slot,
                              .count = how.each,
                              .action = Action::kReduce});
      }
    const std::uint32_t slot = how.first + c * n * how.each;
    for (std::uint32_t j = 0; j < m; ++j)
      averages.moves.push_back({.source = everywhere[c],
                                .destination = everywhere[j],
                                .source_slot = slot,
                                .destination_slot = slot,
                                .count = n * how.each});
  }
  schedule.phases.push_back(std::move(sums));
  schedule.phases.push_back(std::move(averages));
}

}  // namespace helio::schedule
