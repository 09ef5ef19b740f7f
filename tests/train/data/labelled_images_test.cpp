// SPDX-License-Identifier: Apache-2.0
#include "train/data/labelled_images.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace helio::train {
namespace {

// Red: half the pixels 0, half 200: mean 100, deviation 100. Green: image 0 all 10, image 1 all 20: mean 15, deviation 5. Blue: one
// pixel of 2048 is 255: mean 255/2048, variance 255²/2048 − mean².
TEST(LabelledImages, StatisticsOfEveryChannel) {
  LabelledImages images{10, std::vector<std::uint8_t>(2 * kPixels), {0, 1}};
  for (int image = 0; image < 2; ++image) {
    std::fill_n(images.pixels.begin() + image * kPixels, 512, 200);
    std::fill_n(images.pixels.begin() + image * kPixels + 1024, 1024, image == 0 ? 10 : 20);
  }
  images.pixels.back() = 255;
  const ChannelStatistics found = channel_statistics(images);
  EXPECT_DOUBLE_EQ(found.mean[0], 100);
  EXPECT_DOUBLE_EQ(found.deviation[0], 100);
  EXPECT_DOUBLE_EQ(found.mean[1], 15);
  EXPECT_NEAR(found.deviation[1], 5, 1e-12);
  EXPECT_DOUBLE_EQ(found.mean[2], 255.0 / 2048);
  EXPECT_NEAR(found.deviation[2] * found.deviation[2], 255.0 * 255 / 2048 - (255.0 / 2048) * (255.0 / 2048), 1e-9);
}

TEST(LabelledImages, OneValueCannotBeNormalised) {
  LabelledImages images{10, std::vector<std::uint8_t>(kPixels, 7), {0}};
  std::fill_n(images.pixels.begin(), 100, 9);  // red differs, green does not
  try {
    channel_statistics(images);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(error.message().find("channel 1"), std::string::npos);
  }
}

}  // namespace
}  // namespace helio::train
