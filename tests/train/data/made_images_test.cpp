// SPDX-License-Identifier: Apache-2.0
#include "train/data/made_images.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace helio::train {
namespace {

TEST(MadeImages, SameSeedSameImages) {
  const MadeImages a = make_images(50, 10, 3), b = make_images(50, 10, 3), c = make_images(50, 10, 4);
  EXPECT_EQ(a.train.pixels, b.train.pixels);
  EXPECT_EQ(a.held_out.pixels, b.held_out.pixels);
  EXPECT_NE(a.train.pixels, c.train.pixels);
  // Held-out images are others, not copies of the first ones.
  EXPECT_NE(std::vector<std::uint8_t>(a.train.pixels.begin(), a.train.pixels.begin() + kPixels),
            std::vector<std::uint8_t>(a.held_out.pixels.begin(), a.held_out.pixels.begin() + kPixels));
}

// A quarter held out, but one per class at least: 50/4 = 12 of 10 classes; 12/4 = 3 would leave classes out.
TEST(MadeImages, CountsAndLabels) {
  EXPECT_EQ(make_images(50, 10, 1).held_out.count(), 12);
  EXPECT_EQ(make_images(12, 10, 1).held_out.count(), 10);
  const LabelledImages images = make_images(50, 10, 1).train;
  EXPECT_EQ(images.classes, 10);
  EXPECT_EQ(images.pixels.size(), 50u * kPixels);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(images.labels[i], i % 10);
}

// They can be learnt: the nearest class mean of the training images names the class of held-out ones. Two mosaics differ by √2·28 (rms) in
// each of 3072 pixels, 2200 in all; noise moves an image by 48 along the line between two means: a plain image is never mistaken.
// Also flipped (mosaics are mirrored) and two pixels higher, where every fourth row lies in the tile below: from its own mean an image is
// then 1/4 of the squared distance away that it is from others. 24 shades a mosaic scatter a squared distance by √(2/24) = 29 %, so that a
// mix-up needs about 2.5 deviations: a few in a hundred at most.
TEST(MadeImages, TheClassesCanBeTold) {
  const MadeImages made = make_images(400, 10, 1);
  std::vector<std::vector<double>> means(10, std::vector<double>(kPixels, 0));
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t p = 0; p < kPixels; ++p)
      means[made.train.labels[i]][p] += made.train.pixels[i * kPixels + p] / 40.0;
  const auto nearest = [&](const auto& pixel_at) {
    std::vector<double> distance(10, 0);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t y = 0; y < 28; ++y)
        for (std::size_t x = 0; x < 32; ++x)
          for (std::size_t k = 0; k < 10; ++k) {
            const double off = pixel_at(c, y, x) - means[k][(c * 32 + y) * 32 + x];
            distance[k] += off * off;
          }
    return static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  };
  int plain = 0, moved = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::uint8_t* image = made.held_out.pixels.data() + i * kPixels;
    const std::size_t label = made.held_out.labels[i];
    plain +=
        nearest([&](std::size_t c, std::size_t y, std::size_t x) { return image[(c * 32 + y) * 32 + x]; }) == label;
    moved += nearest([&](std::size_t c, std::size_t y, std::size_t x) {
               return image[(c * 32 + y + 2) * 32 + 31 - x];
             }) == label;
  }
  EXPECT_EQ(plain, 100);
  EXPECT_GE(moved, 90);
}

TEST(MadeImages, BadCountsAreRefused) {
  EXPECT_THROW(make_images(9, 10, 1), Error);
  EXPECT_THROW(make_images(9, 1, 1), Error);
  EXPECT_THROW(make_images(900, 257, 1), Error);
}

}  // namespace
}  // namespace helio::train
