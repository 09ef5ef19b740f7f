// SPDX-License-Identifier: Apache-2.0
#include "workload/convolution.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace helio::workload {
namespace {

// 4 channels of 3 x 3, stride 2, padding 1 on 2 x 5 x 5: 3 x 3 pixels, 2 · 9 inner, a bias each.
TEST(Convolution, IsAnImplicitMatrixProduct) {
  const std::vector<Layer> layers = convolutional_layers({convolution("c", 4, 3, 2, 1)}, {2, 5});
  ASSERT_EQ(layers.size(), 1u);
  const Kernel& kernel = layers[0].kernels[0];
  EXPECT_EQ(kernel.rows, 9);
  EXPECT_EQ(kernel.columns, 4);
  EXPECT_EQ(kernel.inner, 18);
  EXPECT_EQ(layers[0].parameters, 4u * 18 + 4);
  EXPECT_EQ(layers[0].whole_parameters, layers[0].parameters);
  EXPECT_EQ(layers[0].output_elements, 4 * 9);
  EXPECT_EQ(layers[0].kept_whole_elements, 2 * 25 + 4 * 9);  // its input; its output for the loss
}

// Two groups: each output channel sees half of the input's.
TEST(Convolution, GroupsAreABatch) {
  Step step = convolution("c", 4, 3, 1, 1);
  step.groups = 2;
  const Layer layer = convolutional_layers({step}, {6, 5})[0];
  EXPECT_EQ(layer.kernels[0].batch, 2);
  EXPECT_EQ(layer.kernels[0].columns, 2);
  EXPECT_EQ(layer.kernels[0].inner, 3 * 9);
  EXPECT_EQ(layer.parameters, 4u * 3 * 9 + 4);
  EXPECT_EQ(layer.forward_flops(), 2.0 * 25 * 4 * 3 * 9);
}

// A batch norm has two numbers per channel, and replaces the bias. It reads twice and writes once; ReLU reads and writes.
TEST(Convolution, NormsAndActivationsAreMemoryKernels) {
  const Layer layer = convolutional_layers({normed_convolution("c", 4, 1, 1, 0)}, {2, 5})[0];
  EXPECT_EQ(layer.parameters, 4u * 2 + 2 * 4);
  ASSERT_EQ(layer.kernels.size(), 4u);  // convolution, norm, relu, loss
  EXPECT_EQ(layer.kernels[1].elements, 3 * 4 * 25);
  EXPECT_EQ(layer.kernels[2].elements, 2 * 4 * 25);
}

// A window of 3 and a stride of 2 on 6 pixels: 2 fit, a third reaches over the edge. A maximum keeps an index of 8 bytes.
TEST(Convolution, PoolsMayReachOverTheEdge) {
  const auto pooled = [](bool round_up) {
    return convolutional_layers({max_pool("p", 3, 2, 0, round_up), dense("d", 1)}, {1, 6})[0];
  };
  EXPECT_EQ(pooled(false).output_elements, 4);
  EXPECT_EQ(pooled(true).output_elements, 9);
  EXPECT_EQ(pooled(false).kernels[0].elements, 36 + 4);
  EXPECT_EQ(pooled(false).kept_whole_elements, 36 + 4 * 4);
  EXPECT_EQ(convolutional_layers({average_pool("a", 6)}, {5, 6})[0].output_elements, 5);
}

// A residual block: one layer, the image kept once, a sum of 3 accesses and a ReLU of 2.
TEST(Convolution, BranchesAreOneLayer) {
  const Step block = branches(StepKind::kSum, "b", {{convolution("c", 2, 3, 1, 1)}, {convolution("s", 2, 1, 1, 0)}});
  const std::vector<Layer> layers = convolutional_layers({block, dense("d", 1)}, {2, 4});
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].parameters, (2u * 18 + 2) + (2 * 2 + 2));
  EXPECT_EQ(layers[0].kept_whole_elements, 32);
  EXPECT_EQ(layers[0].kernels[4].elements, 3 * 32);
  EXPECT_EQ(layers[0].kernels[5].elements, 2 * 32);
  EXPECT_EQ(layers[0].output_elements, 32);
  // Side by side: 2 + 3 channels.
  const Step wide = branches(StepKind::kConcat, "w", {{convolution("c", 2, 3, 1, 1)}, {convolution("s", 3, 1, 1, 0)}});
  EXPECT_EQ(convolutional_layers({wide}, {2, 4})[0].output_elements, 5 * 16);
}

TEST(Convolution, TablesThatDoNotFitAreOurMistake) {
  EXPECT_THROW(convolutional_layers({convolution("c", 4, 7, 1, 0)}, {2, 5}), std::logic_error);
  Step grouped = convolution("c", 4, 1, 1, 0);
  grouped.groups = 3;
  EXPECT_THROW(convolutional_layers({grouped}, {3, 5}), std::logic_error);
  const Step block = branches(StepKind::kSum, "b", {{convolution("c", 3, 1, 1, 0)}, {}});
  EXPECT_THROW(convolutional_layers({block}, {2, 4}), std::logic_error);
}

}  // namespace
}  // namespace helio::workload
