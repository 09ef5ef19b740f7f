// SPDX-License-Identifier: Apache-2.0
#include "schedule/whole_state.h"

#include <gtest/gtest.h>

#include "schedule/cases.h"

namespace helio::schedule {
namespace {

TEST(WholeState, OutputStartsAsACopyOfData) {
  // All-reduce of two ranks out of place: each adds the other's untouched data to its own copy.
  Schedule schedule{.ranks = 2, .result = Buffer::kOutput};
  Phase& phase = schedule.phases.emplace_back();
  for (const Position p : {0, 1})
    phase.moves.push_back(
        {.source = p, .destination = 1 - p, .action = Action::kReduce, .destination_buffer = Buffer::kOutput});
  EXPECT_EQ(fault_in_whole_state<Multiset>(schedule), "");
  EXPECT_EQ(fault_in_whole_state<Fingerprint>(schedule), "");
}

TEST(WholeState, MovesOfARoundReadWhatWasThereBefore) {
  // 0 -> 1 -> 2 in one round does not bring 0's vector to 2: rank 1 did not have it before.
  Schedule schedule{.kind = Kind::kBroadcast, .ranks = 3};
  schedule.phases = {{.name = "both", .moves = {{.source = 0, .destination = 1}, {.source = 1, .destination = 2}}}};
  EXPECT_EQ(fault_in_whole_state<Multiset>(schedule),
            "data slot 0 of rank 2 holds an undefined value (last written in phase 0 'both', round 0)");
}

TEST(WholeState, TwentyBytesForEachSlotAndSixteenForEachThatTravels) {
  // 8 ranks of 8 slots, no output, no scratch; 8 slots travel in a round.
  EXPECT_EQ(fingerprint_memory(build_case("ring", Kind::kAllReduce, 8)), 64 * 20 + 8 * 16);
}

}  // namespace
}  // namespace helio::schedule
