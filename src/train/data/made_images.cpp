// SPDX-License-Identifier: Apache-2.0
#include "train/data/made_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/random.h"

namespace helio::train {
namespace {

constexpr std::int64_t kTiles = 4, kTile = kSide / kTiles;
constexpr double kGrey = 128, kContrast = 28, kNoise = 48;  // of pixel values: middle, shades of tiles, noise

// Streams of the seed.
enum : std::uint64_t { kMosaics, kTrain, kHeldOut };

// One shade per channel and tile: classes × kChannels × kTiles × kTiles/2.
std::vector<double> draw_mosaics(std::int64_t classes, Random random) {
  std::vector<double> shades(static_cast<std::size_t>(classes * kChannels * kTiles * kTiles / 2));
  for (double& shade : shades) shade = kGrey + kContrast * random.normal();
  return shades;
}

LabelledImages draw_images(std::int64_t count, std::int64_t classes, const std::vector<double>& shades, Random random) {
  LabelledImages images;
  images.classes = classes;
  images.labels.reserve(static_cast<std::size_t>(count));
  images.pixels.reserve(static_cast<std::size_t>(count * kPixels));
  for (std::int64_t image = 0; image < count; ++image) {
    const std::int64_t label = image % classes;
    images.labels.push_back(static_cast<std::uint8_t>(label));
    for (std::int64_t channel = 0; channel < kChannels; ++channel)
      for (std::int64_t y = 0; y < kSide; ++y)
        for (std::int64_t x = 0; x < kSide; ++x) {
          const std::int64_t column = std::min(x, kSide - 1 - x) / kTile;
          const std::int64_t tile = ((label * kChannels + channel) * kTiles + y / kTile) * (kTiles / 2) + column;
          const double value = shades[static_cast<std::size_t>(tile)] + kNoise * random.normal();
          images.pixels.push_back(static_cast<std::uint8_t>(std::clamp(std::floor(value + 0.5), 0.0, 255.0)));
        }
  }
  return images;
}

}  // namespace

MadeImages make_images(std::int64_t images, std::int64_t classes, std::uint64_t seed) {
  if (classes < 2 || classes > 256)
    throw Error(ErrorKind::kInput, fmt::format("made images of {} classes", classes), "", "Ask for 2 to 256 classes");
  if (images < classes)
    throw Error(ErrorKind::kInput, fmt::format("{} made images of {} classes", images, classes), "",
                "Ask for at least one image per class");
  const Random random(seed);
  const std::vector<double> shades = draw_mosaics(classes, random.split(kMosaics));
  return {draw_images(images, classes, shades, random.split(kTrain)),
          draw_images(std::max(images / 4, classes), classes, shades, random.split(kHeldOut))};
}

}  // namespace helio::train
