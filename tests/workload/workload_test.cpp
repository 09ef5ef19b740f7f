// SPDX-License-Identifier: Apache-2.0
#include "workload/workload.h"

#include <gtest/gtest.h>

#include "workload/kernel.h"

namespace helio::workload {
namespace {

// 3 products of [2 x 5] · [5 x 7]: 3 · 2 · 7 · 5 multiply-adds of 2 operations. Memory kernels have none.
TEST(Workload, FlopsAreThoseOfMatrixKernels) {
  const Kernel kernel = batched_product("p", Share::kBatch, 3, 2, 7, 5);
  EXPECT_EQ(kernel.flops(), 420);
  EXPECT_FALSE(kernel.rows_grow);
  EXPECT_FALSE(kernel.weighted);
  EXPECT_EQ(memory("m", Share::kWhole, 1000).flops(), 0);
  Layer layer;
  layer.kernels = {kernel, memory("m", Share::kWhole, 1000), product("q", Share::kWhole, 1, 2, 3)};
  EXPECT_EQ(layer.forward_flops(), 420 + 12);
}

// Repeats count, and what the last layer shares with the first counts once: 10 + 4 · 5 + (10 + 3) - 10.
TEST(Workload, SumsCountRepeatsAndTies) {
  Layer first{.name = "first", .parameters = 10}, middle{.name = "middle", .repeat = 4, .parameters = 5};
  Layer last{.name = "last", .parameters = 13};
  middle.kernels = {product("q", Share::kWhole, 1, 2, 3)};
  Workload workload{.name = "w", .tied_parameters = 10};
  workload.layers = {first, middle, last};
  EXPECT_EQ(workload.parameters(), 33u);
  EXPECT_EQ(workload.forward_flops(), 48);
  EXPECT_EQ(workload.depth(), 6u);
}

}  // namespace
}  // namespace helio::workload
