// SPDX-License-Identifier: Apache-2.0
#include "schedule/optree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "schedule/cases.h"
#include "schedule/lightpaths.h"
#include "schedule/ring_exchange.h"

namespace helio::schedule {
namespace {

Schedule tree(Position n, int wavelengths, int depth = 0) {
  Settings settings;
  if (depth > 0) settings["depth"] = {std::to_string(depth), "--set algorithm.depth"};
  return build("optree", request_on_all(Kind::kAllGather, Bytes{1e6}, n), wdm_fabric(wavelengths), settings);
}

// papers/wrht.md 7.2.
TEST(Optree, TheRecalledStepCount) {
  EXPECT_EQ(optree_depth(1024, 64), 6);
  EXPECT_EQ(optree_steps(512, 64), 32u);
  EXPECT_EQ(optree_steps(1024, 64), 70u);
  EXPECT_EQ(optree_steps(2048, 64), 155u);
  EXPECT_EQ(optree_steps(4096, 64), 340u);
  EXPECT_EQ(optree_steps(1024, 64, 1), 2048u);  // N^2/(8w), whole
  EXPECT_EQ(optree_steps(1024, 64, 5), 72u);    // 9 * 1024 * 4 / 512, whole although the power is not
}

// A single stage is the all-to-all of all ranks, w of its wavelengths at a time.
TEST(Optree, DepthOneIsAnAllToAll) {
  for (const Position n : {2, 3, 7, 12, 31})
    for (const int w : {1, 4, 9}) {
      const auto needed = static_cast<double>(exchange_wavelengths(static_cast<std::uint64_t>(n)));
      EXPECT_EQ(static_cast<double>(rounds(tree(n, w, 1))), std::ceil(needed / w)) << n;
    }
}

// n = 4^5, depth 5: first 256 columns of 2 wavelengths (four ranks around a ring), 512/64 = 8 steps. In stage j an arc
// has 1024/4^j columns, each with 2 x 2 paths over the middle of the arc and 4^(j-1) blocks on a path: 1024 lights,
// 1024/64 = 16 steps, four times. 72, as the formula has for k = 5.
TEST(Optree, StepsOfAPowerByHand) {
  EXPECT_EQ(rounds(tree(1024, 64, 5)), 8u + 4 * 16);
  EXPECT_EQ(rounds(tree(1024, 64)), 72u);         // depth 6 by formula: m = 4 as well
  EXPECT_EQ(rounds(tree(64, 8, 3)), 4u + 2 * 8);  // 16 columns of 2 on 8, then twice 16 of 2 x 2
}

TEST(Optree, EveryRankGetsEveryBlockOnce) {
  // n-1 blocks arrive at each rank, each by one move: n(n-1) moves.
  for (const Position n : {2, 5, 13, 27, 40, 100})
    for (const int depth : {1, 2, 3, 5}) {
      const Schedule schedule = tree(n, 5, depth);
      std::size_t moves = 0;
      for (const Phase& phase : schedule.phases) moves += phase.moves.size();
      EXPECT_EQ(moves, static_cast<std::size_t>(n) * static_cast<std::size_t>(n - 1));
      EXPECT_TRUE(executes_correctly(schedule, schedule.chunks + 3, 5)) << n;
    }
}

RC_GTEST_PROP(Optree, AnyRanksAndDepthsAreProvenAndFreeOfConflicts, ()) {
  const auto n = *rc::gen::inRange<Position>(2, 150);
  const int w = *rc::gen::inRange(1, 20), depth = *rc::gen::inRange(0, 9);
  const Schedule schedule = tree(n, w, depth);
  const Verification proof = verify(schedule);
  if (!proof.verified) RC_FAIL(proof.failure);
  const Light light = light_of(schedule);
  RC_ASSERT(light.conflict == "");
  RC_ASSERT(light.wavelengths <= w);
}

TEST(Optree, RefusesWhatItCannotDo) {
  EXPECT_THROW(build("optree", request_on_all(Kind::kAllGather, Bytes{1}, 8), able_fabric()), Error);
  try {
    tree(5000, 64);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInfeasible);
    EXPECT_NE(error.advice().find("4096"), std::string::npos) << error.advice();
  }
}

}  // namespace
}  // namespace helio::schedule
