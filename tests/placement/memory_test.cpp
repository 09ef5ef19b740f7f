// SPDX-License-Identifier: Apache-2.0
#include "placement/memory.h"

#include <gtest/gtest.h>

#include "placement/models.h"

namespace helio::placement {
namespace {

// A block on tp 4: 20 whole + 80 / 4 = 40 parameters.
TEST(Memory, TensorParallelismDividesAllButTheWhole) {
  EXPECT_EQ(parameters_of({{1, 2}}, small_transformer(2), strategy(4, 1, 1)).dense, 80);
}

// An expert layer of 100 parameters, 60 of them of experts: on tp 2, ep 3 a rank has 40/2 dense and 60/2/3 of experts.
TEST(Memory, ExpertParallelismDividesTheExperts) {
  workload::Workload w = small_transformer(1);
  w.layers[1].whole_parameters = 0;
  w.layers[1].expert_parameters = 60;
  Strategy s = strategy(2, 1, 3);
  s.ep = 3;
  const RankParameters p = parameters_of({{1, 1}}, w, s);
  EXPECT_EQ(p.dense, 20);
  EXPECT_EQ(p.expert, 10);
}

// One stage of 2 blocks (and 16 more parameters around them) without division: 216 parameters in bf16, gradients in bf16,
// 12 bytes of optimiser each. Backward keeps 60 elements of each of 4 layers for the one micro-batch in flight.
TEST(Memory, AddsUp) {
  const workload::Workload w = small_transformer(2);
  Strategy s = strategy(1, 1, 4);
  s.micro_batch = 3;
  const std::vector<std::vector<Part>> parts = {cut(w, 1)};
  Memory m = memory_of(parts, w, s);
  EXPECT_EQ(m.parameters.value, 432);
  EXPECT_EQ(m.gradients.value, 432);
  EXPECT_EQ(m.optimiser.value, 2592);
  EXPECT_EQ(m.activations.value, 4 * 60 * 3 * 2);
  EXPECT_EQ(m.total.value, 432 + 432 + 2592 + 1440);
  s.zero = 1;
  EXPECT_EQ(memory_of(parts, w, s).optimiser.value, 648);
  s.zero = 2;
  EXPECT_EQ(memory_of(parts, w, s).gradients.value, 108);
  EXPECT_EQ(memory_of(parts, w, s).parameters.value, 432);
  // ZeRO 3: a quarter, and beside it what is gathered: with one bucket for all, everything; with one of 100 parameters at
  // most two pieces in a row, 107 and 100
  s.zero = 3;
  EXPECT_EQ(memory_of(parts, w, s).parameters.value, 108 + 432);
  s.bucket = Bytes{200};
  EXPECT_EQ(memory_of(parts, w, s).parameters.value, 108 + 2 * 207);
  // Gradients that are reduced only after backward are whole until then
  s.overlap = false;
  EXPECT_EQ(memory_of(parts, w, s).gradients.value, 432);
}

// Six blocks recomputed, first and last layer not: the output of each block (10 elements), the rest of the one that is being
// recomputed (50), and 60 of each of the others. With 4 micro-batches in flight only the block in hand stays one.
TEST(Memory, RecomputationKeepsWhatGoesBetweenBlocks) {
  const workload::Workload w = small_transformer(6);
  Strategy s = strategy(1, 1, 1);
  s.recompute = Recompute::kFull;
  EXPECT_EQ(memory_of({cut(w, 1)}, w, s).activations.value, (6 * 10 + 2 * 60 + 50) * 2);
  s.order = PipelineOrder::kGpipe;
  s.micro_batches = 4;
  EXPECT_EQ(memory_of({cut(w, 1)}, w, s).activations.value, (4 * (6 * 10 + 2 * 60) + 50) * 2);
}

// Selective: of a block's 60 elements the 25 of the attention core are made again, for one block at a time.
TEST(Memory, SelectiveRecomputationForgetsTheAttentionCore) {
  workload::Workload w = small_transformer(6);
  w.layers[1].kept_core_elements = 25;
  Strategy s = strategy(1, 1, 1);
  s.recompute = Recompute::kSelective;
  EXPECT_EQ(memory_of({cut(w, 1)}, w, s).activations.value, (6 * 35 + 2 * 60 + 25) * 2);
}

// 4 replicas, experts shared by 2: a rank holds 30 of 60 expert parameters, which 2 replicas hold; ZeRO 1 divides the optimiser of
// 56 dense ones by 4 and of these by 2: 14 + 15, as without ep: (56 + 60) / 4.
TEST(Memory, ExpertsAreDividedAmongThoseThatHoldThem) {
  workload::Workload w = small_transformer(1);
  w.layers[1].whole_parameters = 0;
  w.layers[1].expert_parameters = 60;
  Strategy s = strategy(1, 1, 4);
  s.zero = 1;
  for (const int ep : {1, 2, 4}) {
    s.ep = ep;
    EXPECT_EQ(memory_of({cut(w, 1)}, w, s).optimiser.value, 12 * (56 + 60) / 4.0) << ep;
  }
}

// Streaming takes every piece through all 5 micro-batches before the next comes.
TEST(Memory, StreamingKeepsAllMicroBatches) {
  const workload::Workload w = small_transformer(2);
  Strategy s = strategy(1, 1, 1);
  s.streaming = true;
  s.micro_batches = 5;
  EXPECT_EQ(memory_of({cut(w, 1)}, w, s).activations.value, 5 * 4 * 60 * 2);
}

// Four stages of one block, 8 micro-batches. 1F1B: stage 0 has 4 in flight, the last 1; GPipe has all 8 everywhere.
TEST(Memory, TheScheduleDecidesHowManyAreInFlight) {
  workload::Workload w = small_transformer(4);
  w.layers = {w.layers[1]};
  Strategy s = strategy(1, 4, 1);
  s.micro_batches = 8;
  std::vector<std::vector<Part>> parts;
  for (const Part& part : cut(w, 4)) parts.push_back({part});
  EXPECT_EQ(memory_of(parts, w, s).activations.value, 4 * 60 * 2);
  EXPECT_EQ(memory_of(parts, w, s).stage, 0u);
  s.order = PipelineOrder::kGpipe;
  EXPECT_EQ(memory_of(parts, w, s).activations.value, 8 * 60 * 2);
}

}  // namespace
}  // namespace helio::placement
