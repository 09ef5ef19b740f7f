// SPDX-License-Identifier: Apache-2.0
#include "workload/beit.h"

#include <gtest/gtest.h>

namespace helio::workload {
namespace {

// Patches 768·1024 + 1024 and the class token; a block of 12h² weights, biases 2h (q, v) + h + 4h + h, norms 4h, scales 2h, and
// 16 heads · (27² + 3) distances; a norm of the mean and 1000 classes. timm, beit_large_patch16_224: 304.43 M.
TEST(Beit, ParametersOfTheFineTunedModel) {
  const std::uint64_t h = 1024, block = 12 * h * h + 8 * h + 4 * h + 2 * h + 16 * (27 * 27 + 3);
  const Workload workload = beit_large(224);
  EXPECT_EQ(workload.parameters(), 768 * h + h + h + 24 * block + 2 * h + h * 1000 + 1000);
  EXPECT_EQ(workload.parameters(), 304'430'568u);
  EXPECT_EQ(workload.tokens, 197u);
}

// 24 · (24sh² + 4s²h) with s = 197, the patches, and the classes. timm and keras_cv_attention_models report 61.6 to 61.7 GMAC, with operations of
// norms and activations counted; without them it is 61.555.
TEST(Beit, Flops) {
  const double s = 197, h = 1024;
  const Workload workload = beit_large(224);
  EXPECT_EQ(workload.forward_flops(), 24 * (24 * s * h * h + 4 * s * s * h) + 2 * 196 * 768 * h + 2 * h * 1000);
  EXPECT_NEAR(workload.forward_flops() / 2e9, 61.6, 0.1);
}

// 384 pixels: 577 tokens, and 47² + 3 distances per head. keras_cv_attention_models: 305.00 M.
TEST(Beit, LargerImages) {
  const Workload workload = beit_large(384);
  EXPECT_EQ(workload.tokens, 577u);
  EXPECT_EQ(workload.parameters(), 304'430'568u + 24u * 16 * (47 * 47 - 27 * 27));
  EXPECT_NEAR(static_cast<double>(workload.parameters()) / 1e6, 305.00, 0.005);
}

}  // namespace
}  // namespace helio::workload
