// SPDX-License-Identifier: Apache-2.0
// Which slots of a whole vector a schedule among units means by its own (schedule/by_level.h): stages written out as moves between ranks.
//
// Level k cuts the vector into C(k) slots, so that a slot of the whole has a digit for each level. A rank with coordinates c(j) on the
// levels below holds, of slot x of level k, the slots whose digits below are in its blocks:
//
//     by digits   (x0, x1, x2) at (x0 C1 + x1) C2 + x2: a slot of a level is a few runs; kinds whose slots belong to nobody
//     by rank     block of rank (c0, c1, c2) at its position, digits within blocks after it: kinds whose slots belong to ranks
//     whole       every level cuts the same whole: one node of each unit holds everything
//
// By digits "below" means earlier in an order of the levels, which is usually theirs; and all of it may be a part of a longer vector.
//
// All-to-all by rank: digit j of a slot is where it is meant to go on levels not yet exchanged, and where it came from on the others; an
// exchange in one round may therefore work in place.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "schedule/schedule.h"

namespace helio::schedule {

class LevelSlots {
 public:
  // `width`: units of a level; `chunks`: slots that it cuts the vector into, a multiple of the width where blocks belong to units;
  // `coordinate`: by level and position.
  // Throw Error(kInfeasible) where slots would be too many.
  static LevelSlots by_digits(const std::vector<std::size_t>& order, const std::vector<Position>& width,
                              const std::vector<std::uint32_t>& chunks,
                              const std::vector<std::vector<Position>>& coordinate);
  static LevelSlots by_rank(std::vector<Position> width, std::vector<std::uint32_t> chunks,
                            std::vector<std::vector<Position>> coordinate);
  static LevelSlots whole(std::uint32_t chunks);

  std::uint32_t total() const { return total_; }
  // The same slots, each `each` of a longer vector from slot `first` on. Requires: not by rank.
  LevelSlots inside(std::uint32_t first, std::uint32_t each) const;

  // The moves of a stage behind those of `schedule`, a phase for each of its own. Throws Error(kInfeasible) where they would be too many.
  // Requires: the stage works in place, or is an exchange in one round.
  void append(const LevelStage& stage, std::string_view level, Schedule& schedule) const;

 private:
  enum class Layout : std::uint8_t { kDigits, kRanks, kWhole };
  LevelSlots(Layout layout, std::vector<Position> width, std::vector<std::uint32_t> chunks,
             std::vector<std::vector<Position>> coordinate);
  // First slots of the runs that a rank holds of slot 0 of level k, each as long as one slot; by digits or whole.
  std::vector<std::uint32_t> runs_of(std::size_t k, Position rank) const;
  std::uint32_t run_length(std::size_t k) const;
  // By rank: where slot x of level k lies, for each combination of the other digits that the rank holds; `all`: of any.
  std::vector<std::vector<std::uint32_t>> places_of(std::size_t k, Position rank, bool all) const;

  Layout layout_;
  std::vector<std::size_t> place_;  // of each level in the order; empty: their own
  std::vector<Position> width_;
  std::vector<std::uint32_t> chunks_;
  std::vector<std::vector<Position>> coordinate_;
  std::uint32_t total_ = 1, first_ = 0, each_ = 1;
};

}  // namespace helio::schedule
