// SPDX-License-Identifier: Apache-2.0
#include "pipeline/foretold.h"

#include <gtest/gtest.h>

#include "base/budget.h"
#include "flow/program.h"
#include "schedule/algorithm.h"
#include "simulate/timeline.h"

namespace helio::pipeline {
namespace {

schedule::Schedule built(const char* algorithm, schedule::Kind kind, schedule::Position ranks) {
  return schedule::build(algorithm, schedule::request_on_all(kind, Bytes{1e6}, ranks), {}, {}, "test");
}

constexpr double kMove = sizeof(schedule::Move), kOperation = sizeof(flow::Operation);

// Direct all-to-all of 8: one phase of 56 moves, each active in one round; 7 are listed, by distance, and stand for those of all ranks.
TEST(Foretold, CountsMovesAndWhatIsDecided) {
  const schedule::Schedule direct = built("direct", schedule::Kind::kAllToAll, 8);
  const Foretold plain = foretold(direct, 1, false), decided = foretold(direct, 3, true);
  EXPECT_EQ(plain.bytes, 7 * kMove + 56 * kOperation);
  EXPECT_EQ(plain.seconds, 0);
  EXPECT_EQ(plain.words, "its schedule has 56 moves");
  EXPECT_EQ(decided.bytes, 7 * kMove + 3 * 56 * kOperation);
  EXPECT_NEAR(decided.seconds, 3 * 56e-6, 1e-12);
}

// Ring all-reduce of 8: two phases of 8 moves, 7 rounds each, of which all but the first and the last may be leapt over; phases follow each
// other, and so may what they keep.
TEST(Foretold, TwoRoundsAreDecidedForSureAndKeptOnce) {
  const Foretold ring = foretold(built("ring", schedule::Kind::kAllReduce, 8), 1, true);
  EXPECT_EQ(ring.bytes, 16 * kMove + 8 * kOperation);
  EXPECT_NEAR(ring.seconds, 2 * 8 * 2e-6, 1e-12);
}

TEST(Foretold, OnlyWhatIsClearlyBeyondTheBudgetIsRefused) {
  const Foretold least = foretold_flows(1e6, true);
  EXPECT_EQ(least.bytes, 1e6 * (kOperation + sizeof(simulate::Span)));
  EXPECT_NO_THROW(refuse_beyond_budget(least)) << "without a budget nothing is";
  {
    const Budget budget(
        {.seconds = 0.51, .bytes = 1.01 * least.bytes});  // a second at least, which is less than twice as much
    EXPECT_NO_THROW(refuse_beyond_budget(least));
  }
  try {
    const Budget budget({.seconds = 0.49, .bytes = 1.01 * least.bytes});
    refuse_beyond_budget(least);
    ADD_FAILURE();
  } catch (const BudgetSpent& spent) {
    EXPECT_FALSE(spent.memory);
    EXPECT_EQ(spent.known, "there are 1e+06 flows");
    EXPECT_EQ(spent.needed.seconds, 1);
  }
  try {
    const Budget budget({.seconds = 10, .bytes = 0.99 * least.bytes});
    refuse_beyond_budget(least);
    ADD_FAILURE();
  } catch (const BudgetSpent& spent) {
    EXPECT_TRUE(spent.memory);
    EXPECT_EQ(spent.needed.bytes, least.bytes);
  }
}

}  // namespace
}  // namespace helio::pipeline
