// SPDX-License-Identifier: Apache-2.0
#include "train/data/labelled_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace helio::train {

ChannelStatistics channel_statistics(const LabelledImages& images) {
  constexpr std::int64_t kPlane = kSide * kSide;
  ChannelStatistics found;
  for (std::int64_t channel = 0; channel < kChannels; ++channel) {
    // Sums of values and of squares: whole numbers, so that no order of summing changes them.
    std::uint64_t sum = 0, squares = 0;
    for (std::int64_t image = 0; image < images.count(); ++image) {
      const std::uint8_t* plane = images.pixels.data() + image * kPixels + channel * kPlane;
      for (std::int64_t i = 0; i < kPlane; ++i) {
        sum += plane[i];
        squares += static_cast<std::uint64_t>(plane[i]) * plane[i];
      }
    }
    const auto count = static_cast<double>(images.count() * kPlane);
    const double mean = static_cast<double>(sum) / count;
    const double variance = static_cast<double>(squares) / count - mean * mean;
    const auto at = static_cast<std::size_t>(channel);
    found.mean[at] = mean;
    found.deviation[at] = std::sqrt(std::max(variance, 0.0));
    if (found.deviation[at] < 1e-3)
      throw Error(ErrorKind::kInput,
                  fmt::format("channel {} of the training images has the value {:.0f} everywhere", channel, mean), "",
                  "Give images that differ");
  }
  return found;
}

}  // namespace helio::train
