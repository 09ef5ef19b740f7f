// SPDX-License-Identifier: Apache-2.0
// All-reduce over a level that averages, with nothing added or copied on the levels below it (schedule/by_level.h).
//
// What leaves such a level (optinc) is the average of what all its units send, so it can hand nobody the numbers of one unit alone. It can
// average twice. n units of m ranks; of each block one rank of every unit is the collector:
//
//     first    for each of the m-1 other ranks i of a unit: the sum over units of rank i, to the collector of one unit, which adds it
//     then     the sum over units of what collectors have, which is everything; m times, for each rank of a unit once
//
//     3 units of 2 ranks, one block      a0 b0   a1 b1   a2 b2       b0+b1+b2 to a1:   a0   a1+b0+b1+b2   a2
//     collectors a                                                   sum of these:     the whole, to a0 a1 a2 and then to b0 b1 b2
//
// 2m - 1 passages instead of 1, and no byte below. Which rank collects, and in which unit sums go, turns from block to block.
#pragma once

#include <memory>
#include <string_view>

#include "schedule/schedule.h"

namespace helio::schedule {

struct AveragedTwice {
  std::uint32_t level = 0, chain = 0;        // of the stages
  std::uint32_t first = 0, each = 1;         // slots of this part of the vector: n m blocks of `each`
  double part = 1;                           // of the vector
  std::shared_ptr<const Schedule> sums;      // reduce-scatter among units, of m - 1 vectors
  std::shared_ptr<const Schedule> averages;  // all-reduce among units, of m vectors
};

// Two stages and their moves behind those of `schedule`. Requires: units of as many holders each.
void append_averaged_twice(const AveragedTwice& how, const LevelStage::Team& team, std::string_view level,
                           Schedule& schedule);

}  // namespace helio::schedule
