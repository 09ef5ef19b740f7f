// SPDX-License-Identifier: Apache-2.0
#include "train/training_memory.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::train {
namespace {

// Five vectors and one gradient a server, 4 bytes each: 10 parameters on 3 servers are 4 · 8 · 10 bytes.
TEST(TrainingMemory, CountsVectorsAndGradients) { EXPECT_EQ(least_bytes(10, 3), 320); }

TEST(TrainingMemory, RefusesWhatCannotFitAndNothingElse) {
  const double there = memory_of(at::kCPU);
  EXPECT_GT(there, 1e8);
  EXPECT_NO_THROW(check_memory(there / (4 * 9) * 0.99, 4, at::kCPU));
  EXPECT_THROW(check_memory(there / (4 * 9) * 1.01, 4, at::kCPU), Error);
}

}  // namespace
}  // namespace helio::train
