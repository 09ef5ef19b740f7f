// SPDX-License-Identifier: Apache-2.0
// Images with a class each, on the host, as the CIFAR files hold them: planes of red, green and blue, rows from the top.
//
//     pixels   image 0: R (32 × 32), G, B | image 1: R, G, B | …        labels   one per image
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace helio::train {

inline constexpr std::int64_t kChannels = 3, kSide = 32, kPixels = kChannels * kSide * kSide;

struct LabelledImages {
  std::int64_t classes = 0;
  std::vector<std::uint8_t> pixels;  // kPixels per image
  std::vector<std::uint8_t> labels;  // below `classes`

  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

struct ChannelStatistics {
  std::array<double, kChannels> mean{}, deviation{};  // of pixel values, 0 to 255
};

// Over all pixels of all images, from exact integer sums. Throws Error(kInput) where a channel has one value everywhere, by which
// nothing can be normalised. Requires: at least one image.
ChannelStatistics channel_statistics(const LabelledImages& images);

}  // namespace helio::train
