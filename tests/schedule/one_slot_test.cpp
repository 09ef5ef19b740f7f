// SPDX-License-Identifier: Apache-2.0
#include "schedule/one_slot.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace helio::schedule {
namespace {

TEST(OneSlot, ARingTouchesASlotOnce) {
  // n = 1,000,000, first 5, stride -1: slot 3 after two rounds, slot 6 after n-1, which is one too late for n-1 rounds.
  const Move move{.source_slot = 5, .destination_slot = 5, .stride = -1};
  std::vector<std::uint32_t> rounds;
  append_rounds_touching(move, {0, 999'999}, 1'000'000, 3, rounds);
  append_rounds_touching(move, {0, 999'999}, 1'000'000, 6, rounds);
  EXPECT_EQ(rounds, std::vector<std::uint32_t>{2});
}

TEST(OneSlot, WideRangesOverlapThemselves) {
  // Slots 0..2, then 2..4 (stride 2), of 6: slot 2 in rounds 0 and 1; then 4, 5, 0; then 0, 1, 2: again in round 3.
  std::vector<std::uint32_t> rounds;
  append_rounds_touching({.count = 3, .stride = 2}, {0, 4}, 6, 2, rounds);
  std::sort(rounds.begin(), rounds.end());
  EXPECT_EQ(rounds, (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(OneSlot, TouchesOfASlotAreBoundedBeforeTheyAreHeld) {
  // 4 slots, 10 rounds. Moves that stay on slots 3, 0, 1 and on 1, 2: slot 1 is touched 20 times. One that walks by 2 over
  // pairs: it is back after 2 rounds and meets a slot once on the way, 5 times in 10 rounds.
  Schedule schedule{.ranks = 2, .chunks = 4};
  schedule.phases = {{.repeat = 10,
                      .moves = {{.source_slot = 3, .destination_slot = 3, .count = 3},
                                {.source_slot = 1, .destination_slot = 1, .count = 2}}}};
  EXPECT_EQ(touches_of_a_slot(schedule), 20);
  schedule.phases[0].moves.push_back({.count = 2, .stride = 2});
  EXPECT_EQ(touches_of_a_slot(schedule), 25);
}

RC_GTEST_PROP(OneSlot, RoundsAreThoseOfACountByHand, ()) {
  const auto size = *rc::gen::inRange<std::uint32_t>(1, 40);
  const Move move{.source_slot = *rc::gen::inRange<std::uint32_t>(0, size),
                  .count = *rc::gen::inRange<std::uint32_t>(1, size + 1),
                  .stride = *rc::gen::inRange<std::int32_t>(-90, 91),
                  .first_round = *rc::gen::inRange<std::uint32_t>(0, 10)};
  const Window active{move.first_round, move.first_round + *rc::gen::inRange<std::uint32_t>(1, 120)};
  const auto slot = *rc::gen::inRange<std::uint32_t>(0, size);

  std::vector<std::uint32_t> expected, rounds;
  for (std::uint32_t i = active.first; i < active.last; ++i) {
    const std::uint32_t first = slot_in_round(move, move.source_slot, i, size);
    if ((slot + size - first) % size < move.count) expected.push_back(i);
  }
  append_rounds_touching(move, active, size, slot, rounds);
  std::sort(rounds.begin(), rounds.end());
  RC_ASSERT(rounds == expected);

  Schedule schedule{.ranks = 2, .chunks = size};
  schedule.phases = {{.repeat = active.last, .moves = {move}}};
  RC_ASSERT(touches_of_a_slot(schedule) >= static_cast<double>(rounds.size()));
}

}  // namespace
}  // namespace helio::schedule
