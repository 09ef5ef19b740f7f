// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_cost.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "photonics/onn_construct.h"

namespace helio::photonics {
namespace {

const std::vector<int> kTrained{4, 64, 128, 256, 128, 64, 4};

// papers/optinc.md 2.3, the table of layers.
TEST(OnnCost, LayersAreThoseOfTheSpec) {
  EXPECT_EQ(svd_mzis(64, 4), 2026);
  EXPECT_EQ(svd_mzis(4, 64), 2026);
  EXPECT_EQ(svd_mzis(128, 64), 10208);
  EXPECT_EQ(svd_mzis(256, 128), 40896);
  EXPECT_EQ(ud_mzis(64, 4), 160);
  EXPECT_EQ(ud_mzis(128, 64), 4160);
  EXPECT_EQ(ud_mzis(128, 256), 16512);
  EXPECT_EQ(ud_mzis(3, 7), 3 * 6);  // padded to 9: three blocks of side 3
}

// 106,260 and 41,664 MZIs and the area ratios of 2.3; depths 1,288 and 392 of 2.7.
TEST(OnnCost, NetworksAreThoseOfTheSpec) {
  EXPECT_EQ(mzis(kTrained, {}, false), 106'260);
  EXPECT_EQ(mzis(kTrained, {0, 1, 2, 3, 4, 5}, false), 41'664);
  const auto ratio = [](const std::set<int>& layers) {
    return static_cast<double>(mzis(kTrained, layers, false)) / 106'260;
  };
  EXPECT_NEAR(ratio({2, 3}), 0.541, 0.0005);
  EXPECT_NEAR(ratio({1, 2, 3}), 0.484, 0.0005);
  EXPECT_NEAR(ratio({1, 2, 3, 4}), 0.427, 0.0005);
  EXPECT_NEAR(ratio({0, 1, 2, 3, 4, 5}), 0.392, 0.0005);
  EXPECT_EQ(mesh_columns(kTrained, {}, false), 1288);
  EXPECT_EQ(mesh_columns(kTrained, {0, 1, 2, 3, 4, 5}, false), 392);
}

// 2.5 and 2.7: 376 and 346 MZIs with bias light, about 85 deep: (5+9) + 3·(10+9) + (10+4).
TEST(OnnCost, ConstructedNetworksAreThoseOfTheSpec) {
  EXPECT_EQ(mzis({4, 9, 9, 9, 9, 4}, {}, true), 376);
  EXPECT_EQ(mzis({4, 7, 8, 9, 10, 4}, {}, true), 346);
  EXPECT_EQ(mesh_columns({4, 9, 9, 9, 9, 4}, {}, true), 85);
  Construction msb;
  msb.direction = Direction::kMsb;
  EXPECT_EQ(cost(compile(construct({}, {}), Compilation::kSvd)).mzis, 376);
  EXPECT_EQ(cost(compile(construct({}, msb), Compilation::kSvd)).mzis, 346);
}

// By hand, lsb with saturating steps: 3 steps in each of 4 layers. Waveguides: s_1, s_2, s_3; then s_2, s_3; then s_3 (o_0 is formed);
// then o_0 (o_1 is formed); then o_0, o_1.
TEST(OnnCost, CountsActivationsAndWaveguides) {
  Construction how;
  how.activation = ActivationKind::kSaturating;
  how.slope = 2;
  OnnCostParameters parameters;
  parameters.activation_ns = 1;
  parameters.activation_pj = 0.5;
  const CompiledOnn compiled = compile(construct({}, how), Compilation::kCompact);
  const OnnCost total = cost(compiled, parameters);
  EXPECT_EQ(total.activations, 12);
  EXPECT_EQ(total.linear_stages, 5);
  EXPECT_EQ(total.activation_stages, 4);
  EXPECT_EQ(total.waveguides, 3 + 2 + 1 + 1 + 2);
  EXPECT_DOUBLE_EQ(total.energy_pj, 12 * 0.5);  // no heater power is given
  EXPECT_NEAR(total.latency_s - cost(compiled).latency_s, 4e-9, 1e-15);
  EXPECT_GT(total.loss_db, 0);
  EXPECT_LE(total.worst_layer_loss_db, total.loss_db);
  // Loss of the longest way: every column of MZIs costs at most 0.2 dB.
  EXPECT_LE(total.loss_db, 0.2 * total.depth + 1e-9);
}

}  // namespace
}  // namespace helio::photonics
