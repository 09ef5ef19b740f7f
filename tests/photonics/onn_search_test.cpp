// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace helio::photonics {
namespace {

// msb, one symbol per stage, sums formed first, saturating. MZIs by hand (r(m + n − r), gathers of g wires g − 1):
//   layer 0   4 lanes into X (3), {X, 1} to 3 steps and X: 2(4 + 2 − 2) = 8                                            11
//   3 times   3 steps into o (2), {X, o} to X', o: 2·2 = 4; then {X', 1} to 3 steps and X': 8, the last without X'': 6   14, 14, 12
//   last      3 steps into o_0, rank 1: 1·(1 + 3 − 1)                                                                    3
TEST(OnnSearch, TheCheapestForFourServersHas54Mzis) {
  const std::vector<Candidate> all = search({});
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().cost.mzis, 11 + 14 + 14 + 12 + 3);
  EXPECT_EQ(all.front().how.direction, Direction::kMsb);
  for (const Candidate& candidate : all) {
    EXPECT_EQ(candidate.verified.wrong, 0u);
    EXPECT_EQ(candidate.verified.points, 28'561u);
  }
  // Two directions, 2 activations, 3 splits, 2³ partitions of 4.
  EXPECT_EQ(all.size(), 2u * 2 * 3 * 8);

  // The front falls in depth as it rises in MZIs, and nothing lies below it.
  const std::vector<Candidate> front = pareto(all);
  for (const Candidate& candidate : front) EXPECT_LE(candidate.cost.mzis, 376);  // of the spec
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i].cost.mzis, front[i - 1].cost.mzis);
    EXPECT_LT(front[i].cost.depth, front[i - 1].cost.depth);
  }
  for (const Candidate& candidate : all)
    EXPECT_TRUE(std::ranges::any_of(front, [&](const Candidate& best) {
      return best.cost.mzis <= candidate.cost.mzis && best.cost.depth <= candidate.cost.depth;
    }));
  // Two linear stages are the floor, and look-ahead reaches it.
  EXPECT_EQ(std::ranges::min(all, {}, [](const Candidate& c) { return c.cost.linear_stages; }).cost.linear_stages, 2);
}

// Three servers: lsb does not admit them, msb does.
TEST(OnnSearch, FamiliesThatDoNotAdmitATaskAreLeftOut) {
  AveragingTask task;
  task.servers = 3;
  task.bits = 4;
  const std::vector<Candidate> all = search(task);
  EXPECT_EQ(all.size(), 2u * 3 * 2);
  for (const Candidate& candidate : all) EXPECT_EQ(candidate.how.direction, Direction::kMsb);
}

// The last rest of msb is read by nobody: 4-7-8-9-10-4 becomes 4-7-8-9-9-4, and its outputs do not change.
TEST(OnnSearch, PruningLeavesOutWhatNobodyReads) {
  Construction msb;
  msb.direction = Direction::kMsb;
  const Onn less = pruned(construct({}, msb));
  EXPECT_EQ(less.widths(), (std::vector<int>{4, 7, 8, 9, 9, 4}));
  EXPECT_EQ(evaluate(less).wrong, 0u);
}

// What is made anew in every layer bears the most noise, on the sums too. The output alone allows 0 wrong of n decisions up to about
// ½/x with n·Q(x) = 1: 57,122 points of 4 symbols give x ≈ 4.6, sigma ≈ 0.108. A plain network bears less, and look-ahead over all
// positions weighs the noise of the top sum with 64.
TEST(OnnSearch, RegeneratedNetworksBearTheMostNoise) {
  Construction plain;
  plain.activation = ActivationKind::kSaturating;
  plain.slope = 4;
  Construction anew = plain, ahead = plain;
  anew.regenerate = true;
  ahead.groups = {4};
  const Onn onn = construct({}, anew);
  const double best = tolerance(onn, 2, false, 1, 0.01).sigma;
  EXPECT_GT(best, 0.085);
  EXPECT_LT(best, 0.125);
  EXPECT_GT(tolerance(onn, 2, true, 1, 0.01).sigma, 0.08);
  EXPECT_LT(tolerance(construct({}, plain), 2, false, 1, 0.01).sigma, 0.07);
  EXPECT_LT(tolerance(construct({}, ahead), 2, true, 1, 0.01).sigma, 0.02);
}

}  // namespace
}  // namespace helio::photonics
