// SPDX-License-Identifier: Apache-2.0
#include "placement/pipeline_order.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "placement/models.h"

namespace helio::placement {
namespace {

// "F0 F1 B0": with chunks "F0a" is chunk 0, "F0b" chunk 1.
std::string written(const Strategy& s, int stage) {
  std::string text;
  for (const Pass& pass : passes_of(s, stage)) {
    text += (text.empty() ? "" : " ") + std::string(pass.backward ? "B" : "F") + std::to_string(pass.micro_batch);
    if (s.chunks > 1) text += static_cast<char>('a' + pass.chunk);
  }
  return text;
}

TEST(PipelineOrder, GpipeRunsAllForwardFirst) {
  Strategy s = strategy(1, 2, 1);
  s.micro_batches = 3;
  s.order = PipelineOrder::kGpipe;
  EXPECT_EQ(written(s, 0), "F0 F1 F2 B0 B1 B2");
}

TEST(PipelineOrder, OneForwardOneBackwardAfterTheWarmUp) {
  Strategy s = strategy(1, 3, 1);
  s.micro_batches = 4;
  EXPECT_EQ(written(s, 0), "F0 F1 F2 B0 F3 B1 B2 B3");
  EXPECT_EQ(written(s, 1), "F0 F1 B0 F2 B1 F3 B2 B3");
  EXPECT_EQ(written(s, 2), "F0 B0 F1 B1 F2 B2 F3 B3");
  s.micro_batches = 1;  // fewer than stages
  EXPECT_EQ(written(s, 0), "F0 B0");
}

// Two stages, two chunks, two micro-batches. Stage 1 is the last: (P-p-1)·2 + (v-1)·P = 2 passes ahead.
TEST(PipelineOrder, InterleavedTakesChunksInTurns) {
  Strategy s = strategy(1, 2, 1);
  s.micro_batches = 2;
  s.chunks = 2;
  s.order = PipelineOrder::kInterleaved;
  EXPECT_EQ(written(s, 1), "F0a F1a F0b B0b F1b B1b B0a B1a");
  EXPECT_EQ(written(s, 0), "F0a F1a F0b F1b B0b B1b B0a B1a");
}

// Every micro-batch of every chunk forward once and backward once, forward before backward.
TEST(PipelineOrder, EveryPassOnce) {
  for (const PipelineOrder order : {PipelineOrder::kGpipe, PipelineOrder::k1f1b, PipelineOrder::kInterleaved})
    for (int pp = 1; pp <= 5; ++pp)
      for (std::uint64_t m = 1; m <= 3; ++m) {
        Strategy s = strategy(1, pp, 1);
        s.order = order;
        s.chunks = order == PipelineOrder::kInterleaved ? 3 : 1;
        s.micro_batches = order == PipelineOrder::kInterleaved ? m * static_cast<std::uint64_t>(pp) : m;
        for (int stage = 0; stage < pp; ++stage) {
          std::set<std::tuple<bool, int, std::uint64_t>> seen;
          for (const Pass& pass : passes_of(s, stage)) {
            EXPECT_TRUE(seen.insert({pass.backward, pass.chunk, pass.micro_batch}).second);
            if (pass.backward) {
              EXPECT_TRUE(seen.contains({false, pass.chunk, pass.micro_batch}));
            }
          }
          EXPECT_EQ(seen.size(), 2 * s.micro_batches * static_cast<std::uint64_t>(s.chunks));
        }
      }
}

}  // namespace
}  // namespace helio::placement
