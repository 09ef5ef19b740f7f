// SPDX-License-Identifier: Apache-2.0
#include "schedule/intervals.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schedule/algorithm.h"
#include "schedule/verify.h"

namespace helio::schedule {
namespace {

Schedule circulant_of(Position n, const std::string& radices) {
  return build("circulant", request_on_all(Kind::kAllReduce, Bytes{1}, n), {}, {{"radices", {radices, ""}}});
}

// Schedules that cut and join the vector level by level are proven, and as the other methods say.
TEST(Intervals, ProvesHierarchies) {
  for (const auto& [n, radices] : {std::pair{12, "3x4"}, {24, "2x3x4"}, {36, "6x6"}, {64, "4x4x4"}, {96, "2x2x2x12"}}) {
    const Schedule schedule = circulant_of(n, radices);
    ASSERT_TRUE(intervals_apply(schedule)) << radices;
    EXPECT_EQ(fault_in_intervals(schedule), std::optional<std::string>("")) << radices;
    EXPECT_TRUE(verify(schedule, {.method = VerifyMethod::kSlotBySlot}).verified);
  }
}

TEST(Intervals, IsChosenWhereItIsTheLeastWork) {
  EXPECT_EQ(verify(circulant_of(1024, "32x32")).method, "interval-by-interval");
}

// Any one move changed in its slot, its destination or its action is found, or the method steps back; never a wrong "yes".
RC_GTEST_PROP(Intervals, FindsEveryChange, ()) {
  Schedule schedule = circulant_of(24, *rc::gen::element<std::string>("4x6", "2x12", "2x3x4"));
  auto& phase = schedule.phases[*rc::gen::inRange<std::size_t>(0, schedule.phases.size())];
  Move& move = phase.moves[*rc::gen::inRange<std::size_t>(0, phase.moves.size())];
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      move.destination =
          (move.destination + 1) % 24 == move.source ? (move.destination + 2) % 24 : (move.destination + 1) % 24;
      break;
    case 1: move.action = move.action == Action::kReduce ? Action::kStore : Action::kReduce; break;
    case 2: move.last_round = move.first_round; break;
    default: move.count = move.count > 1 ? move.count - 1 : move.count + 1;
  }
  if (move.source_slot + move.count > schedule.chunks) return;
  const bool right = verify(schedule, {.method = VerifyMethod::kExplicitSets}).verified;
  if (!intervals_apply(schedule)) return;
  const std::optional<std::string> fault = fault_in_intervals(schedule);
  if (fault) RC_ASSERT(fault->empty() == right);
}

// A ring walks around the end of the vector, so its runs are not in one piece: another method.
TEST(Intervals, StepsBackWhereRunsPassTheEnd) {
  EXPECT_FALSE(intervals_apply(build("ring", request_on_all(Kind::kAllReduce, Bytes{1}, 8), {})));
  EXPECT_FALSE(intervals_apply(build("ring", request_on_all(Kind::kReduceScatter, Bytes{1}, 8), {})));
}

}  // namespace
}  // namespace helio::schedule
