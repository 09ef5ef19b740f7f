// SPDX-License-Identifier: Apache-2.0
#include "train/data/batch_order.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace helio::train {
namespace {

std::vector<std::int64_t> batch(BatchOrder& order, std::int64_t step, std::int64_t count) {
  const std::span<const std::int64_t> chosen = order.batch(step, count);
  return {chosen.begin(), chosen.end()};
}

// 103 examples by 10: ten steps, three left out. Within an epoch no example comes twice; two epochs leave out others.
TEST(BatchOrder, AnEpochIsAPermutationCutIntoBatches) {
  BatchOrder order(103, 5);
  EXPECT_EQ(order.steps_per_epoch(10), 10);
  std::vector<std::set<std::int64_t>> epochs(2);
  for (std::int64_t step = 0; step < 20; ++step) {
    EXPECT_EQ(order.epoch(step, 10), step / 10);
    for (const std::int64_t example : batch(order, step, 10)) {
      EXPECT_TRUE(example >= 0 && example < 103);
      EXPECT_TRUE(epochs[static_cast<std::size_t>(step / 10)].insert(example).second) << example << " comes twice";
    }
  }
  EXPECT_EQ(epochs[0].size(), 100u);
  EXPECT_NE(epochs[0], epochs[1]);
  EXPECT_EQ(order.steps_per_epoch(103), 1);
  EXPECT_NE(batch(order, 0, 103), batch(order, 1, 103));
}

// Any step can be asked for at any time, by anybody: what a resumed run relies on.
TEST(BatchOrder, AStepFollowsFromItsNumber) {
  BatchOrder straight(64, 9), jumping(64, 9), other(64, 10);
  const std::vector<std::int64_t> wanted = batch(straight, 13, 8);
  batch(jumping, 100, 8);
  EXPECT_EQ(batch(jumping, 13, 8), wanted);
  EXPECT_NE(batch(other, 13, 8), wanted);
}

TEST(BatchOrder, BatchesLargerThanTheSetAreRefused) {
  BatchOrder order(7, 1);
  EXPECT_THROW(order.batch(0, 8), Error);
  EXPECT_THROW((void)order.steps_per_epoch(0), Error);
}

}  // namespace
}  // namespace helio::train
