// SPDX-License-Identifier: Apache-2.0
#include "fabric/optinc/optinc_network.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace helio::fabric {
namespace {

const photonics::MziParameters kMzi;

// papers/optinc.md 2.3 and 2.7: 106,260 MZIs by SVD and 1,288 in a row, 41,664 and 392 as blocks; 0.2 mm and group index 4.2 make 3.6 ns
// and 1.1 ns. The deepest layer has 256 + 128 columns, or 128: 76.8 dB and 25.6 dB at 0.2 dB each.
TEST(OptincNetwork, ReportedLayers) {
  const OptincNetwork full = network_for(OptincNetworkKind::kPaper, {}, kMzi);
  EXPECT_EQ(full.mzis, 106260u);
  EXPECT_EQ(full.depth, 1288u);
  EXPECT_NEAR(full.flight.to_seconds(), 3.6e-9, 0.05e-9);
  EXPECT_NEAR(full.loss.value, 76.8, 1e-9);
  const OptincNetwork blocks = network_for(OptincNetworkKind::kPaperUd, {}, kMzi);
  EXPECT_EQ(blocks.mzis, 41664u);
  EXPECT_EQ(blocks.depth, 392u);
  EXPECT_NEAR(blocks.flight.to_seconds(), 1.1e-9, 0.01e-9);
  EXPECT_NEAR(blocks.loss.value, 25.6, 1e-9);
  AveragingTask wide;
  wide.bits = 16;
  EXPECT_THROW(network_for(OptincNetworkKind::kPaper, wide, kMzi), Error);
}

// Fewer than the 376 of papers/optinc.md 2.5, for whatever servers: carries where they divide by shifts, symbols from the top else.
TEST(OptincNetwork, ConstructedForAnyNumberOfServers) {
  EXPECT_LT(network_for(OptincNetworkKind::kConstructed, {}, kMzi).mzis, 376u);
  for (int servers = 2; servers <= 16; ++servers) {
    AveragingTask task;
    task.servers = servers;
    const OptincNetwork network = network_for(OptincNetworkKind::kConstructed, task, kMzi);
    EXPECT_GT(network.mzis, 0u) << servers;
    EXPECT_GT(network.depth, 0u) << servers;
  }
}

// photonics/onn_thermometer_test.cpp derives its 208 MZIs and 36 columns; thirds have none.
TEST(OptincNetwork, ForChips) {
  const OptincNetwork network = network_for(OptincNetworkKind::kChip, {}, kMzi);
  EXPECT_EQ(network.mzis, 208u);
  EXPECT_EQ(network.depth, 36u);
  EXPECT_NEAR(network.loss.value, 9 * 0.2, 1e-9);
  AveragingTask thirds;
  thirds.servers = 3;
  EXPECT_THROW(network_for(OptincNetworkKind::kChip, thirds, kMzi), Error);
  AveragingTask wide;
  wide.servers = 128;  // 3 · 128 + 1 levels
  EXPECT_THROW(network_for(OptincNetworkKind::kChip, wide, kMzi), Error);
}

}  // namespace
}  // namespace helio::fabric
