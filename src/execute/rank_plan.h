// SPDX-License-Identifier: Apache-2.0
// What one rank of a group has to do to run a schedule: steps, and which wait for which.
//
//     move 2 ──reduce slots 4..7──▶ 3, slots of 6 MB, pieces of 1 MB           on rank 3
//
//       receive piece 0 into a temporary ──▶ add it to slot 4, where nobody reads any more what was there ──▶ send it on …
//       receive piece 1 …                                                                                     (a later round)
//
// The vector is dealt to slots alike, the last may be short, so that it lies in memory as it came. A slot is cut into cells of at most one
// piece; a message is as many neighbouring cells as fill a piece. What waits for what is kept for each cell: a step waits for the last to
// write what it reads, and for those that read or wrote what it overwrites, those of its own round included, for all moves of a round read
// what was there before it. Rounds have no other meaning: there is no barrier.
//
// A receive that stores goes to its place at once, unless the same round still reads there; every other goes to a temporary first. Where
// several ranks' slots meet in the fabric one of the receivers adds them, in the order of the set, and hands on the sum.
//
// Messages between two ranks are numbered alike on both sides, by phase, round, move and piece: the number is the tag.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.h"

namespace helio::execute {

inline constexpr std::uint32_t kNone = 0xffffffffu;

// Elements of a buffer of this rank, [first, first + count), or of the temporary.
struct Place {
  schedule::Buffer buffer = schedule::Buffer::kData;
  std::uint32_t temporary = kNone;
  std::size_t first = 0;
};

enum class StepKind : std::uint8_t { kSend, kReceive, kStore, kAdd, kCombine };

struct Step {
  StepKind kind = StepKind::kSend;
  schedule::Position peer = 0;      // of messages: a position of the group
  std::uint32_t tag = 0;            // of messages
  std::uint32_t round = 0;          // over all phases
  std::size_t count = 0;            // elements
  Place from, to;                   // of a message: one of them
  std::vector<Place> meeting = {};  // kCombine: what is added, in the order of the set
  bool early = false;               // a receive that waits for nothing but memory
};

struct RankPlan {
  schedule::Position rank = 0, ranks = 1;
  std::size_t elements = 0;  // of the vector
  std::size_t width = 0;     // of a slot
  std::size_t rows[3] = {};  // elements of data, output, scratch; 0: not used
  schedule::Buffer result = schedule::Buffer::kData;
  std::uint32_t temporaries = 0, rounds = 0;
  std::vector<Step> steps;           // in an order in which they could be done one by one
  std::vector<std::uint32_t> waits;  // by step: for how many others
  std::vector<std::uint32_t> first_next,
      next;  // those that wait for step s: next[first_next[s]] … next[first_next[s + 1]]
  struct Run {
    std::size_t first = 0, count = 0;
  };
  std::vector<Run> copied;  // of data into output, before anything else

  // Elements of the vector that this rank holds before, and has as its result.
  Run input, result_run;
};

// Elements that block `of` of a rank-indexed kind has in a vector of so many.
RankPlan::Run block_run(const schedule::Schedule& schedule, std::size_t elements, schedule::Position of);

// Throws Error(kInput) where all-to-all cannot deal the elements alike.
void check_dealing(const schedule::Schedule& schedule, std::size_t elements);

// Requires: check(schedule) and check_dealing passed, piece and elements are 1 or more.
RankPlan plan_rank(const schedule::Schedule& schedule, schedule::Position rank, std::size_t elements,
                   std::size_t piece);

}  // namespace helio::execute
