// SPDX-License-Identifier: Apache-2.0
#include "workload/convolutional_zoo.h"

#include <gtest/gtest.h>

#include <cmath>

namespace helio::workload {
namespace {

double gmacs(const Workload& workload) { return workload.forward_flops() / 2e9; }

// Layer by layer, bias included: 64·(3·121+1) + 192·(64·25+1) + 384·(192·9+1) + 256·(384·9+1) + 256·(256·9+1) = 2,469,696, and
// dense 4096·(9216+1) + 4096·4097 + 1000·4097 = 58,631,144. torchvision: 61,100,840 and 0.714 G multiply-adds.
TEST(ConvolutionalZoo, AlexNet) {
  const Workload workload = imagenet(alexnet());
  EXPECT_EQ(workload.parameters(), 2'469'696u + 58'631'144u);
  EXPECT_NEAR(gmacs(workload), 0.714, 0.0005);
  // 55 x 55 pixels of conv1, 27 of conv2, 13 of the others: multiply-adds by hand.
  EXPECT_EQ(workload.forward_flops() / 2, 3025.0 * 64 * 363 + 729.0 * 192 * 1600 + 169.0 * 384 * 1728 +
                                              169.0 * 256 * 3456 + 169.0 * 256 * 2304 + 9216.0 * 4096 + 4096.0 * 4096 +
                                              4096.0 * 1000);
}

// torchvision: 138,357,544 and 15.47 G; 143,667,240 and 19.632 G, dense layers included (123,633,664 of them in each). ODDL's
// notes: 19.63 GMAC, 71.5 % of the parameters in the first dense layer.
TEST(ConvolutionalZoo, Vgg) {
  EXPECT_EQ(imagenet(vgg({2, 2, 3, 3, 3})).parameters(), 138'357'544u);
  EXPECT_NEAR(gmacs(imagenet(vgg({2, 2, 3, 3, 3}))), 15.470, 0.0005);
  const Workload vgg19 = imagenet(vgg({2, 2, 4, 4, 4}));
  EXPECT_EQ(vgg19.parameters(), 143'667'240u);
  EXPECT_NEAR(gmacs(vgg19), 19.632, 0.0005);
  double dense = 0, largest = 0;
  for (const Layer& layer : vgg19.layers)
    if (layer.name.starts_with("fc")) {
      dense += layer.forward_flops() / 2;
      largest = std::max(largest, static_cast<double>(layer.parameters));
    }
  EXPECT_EQ(dense, 123'633'664);
  EXPECT_NEAR(largest / 143'667'240, 0.715, 0.0005);
}

// torchvision, without auxiliary heads: 6,624,904 and 1.498 G. Inception 3a by hand, weights and two numbers per channel:
// 192·64 + (192·96 + 96·128·9) + (192·16 + 16·32·9) + 192·32, and 2·(64+96+128+16+32+32) = 736.
TEST(ConvolutionalZoo, GoogLeNet) {
  const Workload workload = imagenet(googlenet());
  EXPECT_EQ(workload.parameters(), 6'624'904u);
  EXPECT_NEAR(gmacs(workload), 1.498, 0.0005);
  const std::uint64_t weights = 192 * 64 + 192 * 96 + 96 * 128 * 9 + 192 * 16 + 16 * 32 * 9 + 192 * 32;
  EXPECT_EQ(workload.layers[5].name, "inception3a");
  EXPECT_EQ(workload.layers[5].parameters, weights + 736);
  EXPECT_EQ(workload.layers[5].output_elements, 256 * 28 * 28);
}

// torchvision: 25,557,032 / 44,549,160 / 60,192,808 parameters and 4.089 / 7.801 / 11.514 G multiply-adds (the stride in the
// 3 x 3 convolution; He et al. have it in the first 1 x 1, and 3.8 / 7.6 / 11.3 G).
TEST(ConvolutionalZoo, ResNet) {
  EXPECT_EQ(imagenet(resnet({3, 4, 6, 3})).parameters(), 25'557'032u);
  EXPECT_EQ(imagenet(resnet({3, 4, 23, 3})).parameters(), 44'549'160u);
  EXPECT_EQ(imagenet(resnet({3, 8, 36, 3})).parameters(), 60'192'808u);
  EXPECT_NEAR(gmacs(imagenet(resnet({3, 4, 6, 3}))), 4.089, 0.0005);
  EXPECT_NEAR(gmacs(imagenet(resnet({3, 4, 23, 3}))), 7.801, 0.0005);
  EXPECT_NEAR(gmacs(imagenet(resnet({3, 8, 36, 3}))), 11.514, 0.0005);
  // conv1, a pool, 16 blocks, the mean, and the classes.
  EXPECT_EQ(imagenet(resnet({3, 4, 6, 3})).depth(), 20u);
}

// The first bottleneck by hand: 64·64 + 9·64·64 + 64·256 + a projection of 64·256, and norms of 64 + 64 + 256 + 256 channels.
TEST(ConvolutionalZoo, ABottleneck) {
  const Layer block = imagenet(resnet({3, 4, 6, 3})).layers[2];
  EXPECT_EQ(block.parameters, 64u * 64 + 9 * 64 * 64 + 2 * 64 * 256 + 2 * (64 + 64 + 256 + 256));
  EXPECT_EQ(block.forward_flops(), 2.0 * 56 * 56 * (64 * 64 + 9 * 64 * 64 + 2 * 64 * 256));
}

}  // namespace
}  // namespace helio::workload
