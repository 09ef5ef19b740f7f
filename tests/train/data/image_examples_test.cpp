// SPDX-License-Identifier: Apache-2.0
#include "train/data/image_examples.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "train/data/made_images.h"

namespace helio::train {
namespace {

// Images that tell where a pixel came from, numbered from `first`: red = image + 1, green = row + 1, blue = column + 1; nothing is 0 but padding.
LabelledImages telling(std::int64_t count, std::int64_t first = 0) {
  LabelledImages images;
  images.classes = 10;
  for (std::int64_t i = first; i < first + count; ++i) {
    images.labels.push_back(static_cast<std::uint8_t>(i % 10));
    for (int channel = 0; channel < 3; ++channel)
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x)
          images.pixels.push_back(static_cast<std::uint8_t>((channel == 0 ? i : channel == 1 ? y : x) + 1));
  }
  return images;
}

// Pixel values again, from normalised ones.
at::Tensor pixels_of(const at::Tensor& inputs, const LabelledImages& train) {
  const ChannelStatistics statistics = channel_statistics(train);
  at::Tensor pixels = inputs.to(at::kDouble).contiguous();
  for (int c = 0; c < 3; ++c)
    pixels.select(1, c)
        .mul_(statistics.deviation[static_cast<std::size_t>(c)])
        .add_(statistics.mean[static_cast<std::size_t>(c)]);
  return pixels.round().to(at::kLong);
}

// Mean 0 and deviation 1 per channel over the whole set, channels-last, in the wanted precision.
TEST(ImageExamples, NormalisedByTheTrainingSet) {
  const MadeImages made = make_images(40, 10, 1);
  ImageExamples examples(made.train, made.held_out, false, 1, at::kCPU, at::kFloat);
  EXPECT_EQ(examples.size(), 40);
  EXPECT_EQ(examples.classes(), 10);
  const Batch batch = examples.batch(0, 40);
  EXPECT_EQ(batch.inputs.sizes().vec(), (std::vector<std::int64_t>{40, 3, 32, 32}));
  EXPECT_TRUE(batch.inputs.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(batch.targets.scalar_type(), at::kLong);
  for (int c = 0; c < 3; ++c) {
    const at::Tensor channel = batch.inputs.select(1, c).to(at::kDouble);
    EXPECT_NEAR(channel.mean().item().toDouble(), 0, 1e-5);
    EXPECT_NEAR(channel.std(false).item().toDouble(), 1, 1e-5);
  }
  ImageExamples half(made.train, made.held_out, false, 1, at::kCPU, at::kBFloat16);
  EXPECT_TRUE(at::equal(half.batch(0, 40).inputs, batch.inputs.to(at::kBFloat16)));
  EXPECT_TRUE(half.batch(0, 4).inputs.is_contiguous(at::MemoryFormat::ChannelsLast));
}

// Without augmentation an epoch is every image as it was, once, with its label.
TEST(ImageExamples, AsTheyAreWithoutAugmentation) {
  const LabelledImages train = telling(30);
  ImageExamples examples(train, telling(2), false, 7, at::kCPU, at::kFloat);
  std::set<std::int64_t> seen;
  for (std::int64_t step = 0; step < 3; ++step) {
    const Batch batch = examples.batch(step, 10);
    const at::Tensor pixels = pixels_of(batch.inputs, train);
    const auto value = pixels.accessor<std::int64_t, 4>();
    for (int b = 0; b < 10; ++b) {
      const std::int64_t image = value[b][0][0][0] - 1;
      seen.insert(image);
      EXPECT_EQ(batch.targets[b].item().toLong(), image % 10);
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x)
          ASSERT_EQ((std::array{value[b][0][y][x], value[b][1][y][x], value[b][2][y][x]}),
                    (std::array<std::int64_t, 3>{image + 1, y + 1, x + 1}));
    }
  }
  EXPECT_EQ(seen.size(), 30u);
}

// A crop is a 32 × 32 square of the image padded by 4 zeros: for some top and left in 0..8 and some direction, pixel (y, x) of it is
// pixel (y + top − 4, x + left − 4) of the image, or of its mirror; zero outside. With 8,000 crops each of the 81 offsets is expected 98.8
// times (deviation 9.9) and half are flipped (deviation 44.7): bounds of five deviations.
TEST(ImageExamples, CropsAndFlips) {
  const LabelledImages train = telling(200);
  ImageExamples examples(train, telling(2), true, 7, at::kCPU, at::kFloat);
  std::map<std::pair<std::int64_t, std::int64_t>, int> offsets;
  int flips = 0;
  for (std::int64_t step = 0; step < 40; ++step) {
    const Batch batch = examples.batch(step, 200);
    const at::Tensor pixels = pixels_of(batch.inputs, train);
    const auto value = pixels.accessor<std::int64_t, 4>();
    const auto label = batch.targets.accessor<std::int64_t, 1>();
    for (int b = 0; b < 200; ++b) {
      // The middle is never padding: it tells image, offsets and direction.
      const std::int64_t image = value[b][0][16][16] - 1, row = value[b][1][16][16] - 1,
                         column = value[b][2][16][16] - 1;
      const bool flipped = value[b][2][16][17] < value[b][2][16][16];
      const std::int64_t top = row - 16 + 4;
      const std::int64_t left = (flipped ? column - 15 : column - 16) + 4;  // 15 = 31 − 16: the mirror's column
      ASSERT_TRUE(top >= 0 && top <= 8 && left >= 0 && left <= 8);
      ASSERT_EQ(label[b], image % 10);
      ++offsets[{top, left}];
      flips += flipped;
      if (b >= 10) continue;
      for (std::int64_t y = 0; y < 32; ++y)
        for (std::int64_t x = 0; x < 32; ++x) {
          const std::int64_t from_y = y + top - 4, from_x = (flipped ? 31 - x : x) + left - 4;
          const bool inside = from_y >= 0 && from_y < 32 && from_x >= 0 && from_x < 32;
          const auto wanted =
              inside ? std::array{image + 1, from_y + 1, from_x + 1} : std::array<std::int64_t, 3>{0, 0, 0};
          ASSERT_EQ((std::array{value[b][0][y][x], value[b][1][y][x], value[b][2][y][x]}), wanted) << y << ' ' << x;
        }
    }
  }
  EXPECT_EQ(offsets.size(), 81u);
  for (const auto& [offset, times] : offsets) EXPECT_NEAR(times, 98.8, 50) << offset.first << ' ' << offset.second;
  EXPECT_NEAR(flips, 4000, 224);
}

// A step follows from (seed, step): asked for again, later, by another object. Another seed or step sees something else.
TEST(ImageExamples, AStepFollowsFromSeedAndNumber) {
  const LabelledImages train = telling(50), test = telling(2);
  ImageExamples a(train, test, true, 7, at::kCPU, at::kFloat), b(train, test, true, 7, at::kCPU, at::kFloat);
  ImageExamples other(train, test, true, 8, at::kCPU, at::kFloat);
  const Batch wanted = a.batch(11, 20);
  b.batch(3, 20);
  const Batch again = b.batch(11, 20);
  EXPECT_TRUE(at::equal(again.inputs, wanted.inputs));
  EXPECT_TRUE(at::equal(again.targets, wanted.targets));
  EXPECT_FALSE(at::equal(other.batch(11, 20).inputs, wanted.inputs));
  EXPECT_FALSE(at::equal(a.batch(12, 20).inputs, wanted.inputs));
}

// Held-out images come in order, uncropped, normalised by the training set; the last batch is what is left.
TEST(ImageExamples, HeldOutInOrderAsTheyAre) {
  const LabelledImages train = telling(50), test = telling(7, 100);
  ImageExamples examples(train, test, true, 7, at::kCPU, at::kFloat);
  EXPECT_EQ(examples.held_out(), 7);
  const Batch batch = examples.held_out_batch(4, 10);
  EXPECT_EQ(batch.inputs.sizes().vec(), (std::vector<std::int64_t>{3, 3, 32, 32}));
  EXPECT_TRUE(batch.inputs.is_contiguous(at::MemoryFormat::ChannelsLast));
  const at::Tensor pixels = pixels_of(batch.inputs, train);
  for (int b = 0; b < 3; ++b) {
    EXPECT_EQ(batch.targets[b].item().toLong(), 4 + b);
    EXPECT_EQ(pixels[b][0][31][0].item().toLong(), 104 + b + 1);
    EXPECT_EQ(pixels[b][1][31][0].item().toLong(), 32);
    EXPECT_EQ(pixels[b][2][31][0].item().toLong(), 1);
  }
}

}  // namespace
}  // namespace helio::train
