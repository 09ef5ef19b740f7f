// SPDX-License-Identifier: Apache-2.0
#include "train/models/server_products.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "train/models/near.h"

namespace helio::train {
namespace {

// 4 servers with one tile of 128 × 128 each want 128/4 = 32 parts, of 512 rows or more.
TEST(ServerProducts, LongSumsAreCut) {
  EXPECT_EQ(parts_of_rows(4, 1 << 20, 64, 64), 32);
  EXPECT_EQ(parts_of_rows(4, 4096, 64, 64), 8);
  EXPECT_EQ(parts_of_rows(4, 4096 * 3, 64, 64), 16);   // 768 rows; 384 would be too few
  EXPECT_EQ(parts_of_rows(4, 2049, 64, 64), 1);        // odd
  EXPECT_EQ(parts_of_rows(4, 1 << 20, 2048, 512), 1);  // 4·16·4 = 256 tiles are enough
}

// Cut or not, row i is dYᵀ·X of server i.
TEST(ServerProducts, WeightGradients) {
  at::manual_seed(3);
  for (const std::int64_t rows : {7, 2048}) {
    const at::Tensor x = at::randn({2 * rows, 5}), dy = at::randn({2 * rows, 3});
    const at::Tensor held = at::zeros({2, 100}), gradient = held.narrow(1, 10, 15).view({2, 3, 5});
    write_weight_gradient(gradient, x, dy);
    for (int i = 0; i < 2; ++i) {
      const at::Tensor xi = x.narrow(0, i * rows, rows).to(at::kDouble),
                       di = dy.narrow(0, i * rows, rows).to(at::kDouble);
      EXPECT_TRUE(near(gradient[i], di.t().mm(xi), 1e-5)) << rows;
    }
    EXPECT_EQ(held.narrow(1, 0, 10).abs().sum().item<float>(), 0);
    EXPECT_EQ(held.narrow(1, 25, 75).abs().sum().item<float>(), 0);
  }
  EXPECT_GT(parts_of_rows(2, 2048, 3, 5), 1);
}

TEST(ServerProducts, BiasGradients) {
  const at::Tensor gradient = at::zeros({2, 2});
  write_bias_gradient(gradient, at::tensor({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f}).view({4, 2}));
  EXPECT_TRUE(at::equal(gradient, at::tensor({4.0f, 6.0f, 12.0f, 14.0f}).view({2, 2})));
}

}  // namespace
}  // namespace helio::train
