// SPDX-License-Identifier: Apache-2.0
#include "train/data/image_examples.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cassert>

#include "base/random.h"
#include "train/data/data_streams.h"
#include "train/data/index_tensor.h"

namespace helio::train {
namespace {

// [n, side + 2·padding, …, C] bytes on the device, zeros around every image.
at::Tensor stored(const LabelledImages& images, std::int64_t padding, const at::Device& device) {
  auto* bytes = const_cast<std::uint8_t*>(images.pixels.data());  // read only: the copy is made below
  const at::Tensor planes = at::from_blob(bytes, {images.count(), kChannels, kSide, kSide}, at::kByte);
  const std::int64_t side = kSide + 2 * padding;
  at::Tensor padded = at::zeros({images.count(), side, side, kChannels}, at::kByte);
  padded.narrow(1, padding, kSide).narrow(2, padding, kSide).copy_(planes.permute({0, 2, 3, 1}));
  return padded.to(device);
}

at::Tensor labels_of(const LabelledImages& images, const at::Device& device) {
  at::Tensor labels = at::empty({images.count()}, at::kLong);
  std::copy(images.labels.begin(), images.labels.end(), labels.data_ptr<std::int64_t>());
  return labels.to(device);
}

}  // namespace

ImageExamples::ImageExamples(const LabelledImages& train, const LabelledImages& held_out, bool augment,
                             std::uint64_t seed, const at::Device& device, at::ScalarType precision)
    : classes_(train.classes),
      seed_(seed),
      padding_(augment ? kPadding : 0),
      device_(device),
      precision_(precision),
      order_(train.count(), seed) {
  assert(held_out.count() > 0 && held_out.classes == train.classes && "held-out images of the same classes");
  const ChannelStatistics statistics = channel_statistics(train);
  mean_ = at::empty({kChannels}, at::kFloat);
  scale_ = at::empty({kChannels}, at::kFloat);
  for (std::int64_t channel = 0; channel < kChannels; ++channel) {
    const auto at = static_cast<std::size_t>(channel);
    mean_.data_ptr<float>()[channel] = static_cast<float>(statistics.mean[at]);
    scale_.data_ptr<float>()[channel] = static_cast<float>(1 / statistics.deviation[at]);
  }
  mean_ = mean_.to(device);
  scale_ = scale_.to(device);

  pixels_ = stored(train, padding_, device).view({-1, kChannels});
  labels_ = labels_of(train, device);
  held_out_pixels_ = stored(held_out, 0, device);
  held_out_labels_ = labels_of(held_out, device);
  const at::Tensor side = at::arange(kSide, at::TensorOptions(at::kLong).device(device));
  down_ = (side * (kSide + 2 * padding_)).view({1, kSide, 1});
  across_ = side.view({1, 1, kSide});
}

at::Tensor ImageExamples::normalised(const at::Tensor& pixels) const {
  // Three roundings in a fixed order, so that every device gives the same values.
  return ((pixels.to(at::kFloat) - mean_) * scale_).to(precision_).permute({0, 3, 1, 2});
}

Batch ImageExamples::batch(std::int64_t step, std::int64_t count) {
  // Where each crop begins, and whether it runs right or left.
  const std::span<const std::int64_t> chosen = order_.batch(step, count);
  const std::int64_t stored_side = kSide + 2 * padding_;
  std::vector<std::int64_t> starts, directions;
  starts.reserve(chosen.size());
  directions.reserve(chosen.size());
  Random random = data_stream(seed_, DataStream::kCrops, step);
  for (const std::int64_t image : chosen) {
    const bool augments = padding_ > 0;
    const auto offsets = static_cast<std::uint64_t>(2 * padding_ + 1);
    const auto top = static_cast<std::int64_t>(augments ? random.below(offsets) : 0);
    const auto left = static_cast<std::int64_t>(augments ? random.below(offsets) : 0);
    const bool flipped = augments && random.below(2) == 1;
    starts.push_back((image * stored_side + top) * stored_side + left + (flipped ? kSide - 1 : 0));
    directions.push_back(flipped ? -1 : 1);
  }

  // Gathered there.
  const at::Tensor index = index_tensor({{chosen.begin(), chosen.end()}, starts, directions}, device_);
  const at::Tensor places =
      (index[1].view({count, 1, 1}) + down_) + index[2].view({count, 1, 1}) * across_;  // count × side × side
  const at::Tensor pixels = pixels_.index_select(0, places.view(-1)).view({count, kSide, kSide, kChannels});
  return {normalised(pixels), labels_.index_select(0, index[0])};
}

Batch ImageExamples::held_out_batch(std::int64_t first, std::int64_t count) {
  assert(first >= 0 && first < held_out() && count > 0 && "held-out examples that exist");
  count = std::min(count, held_out() - first);
  return {normalised(held_out_pixels_.narrow(0, first, count)), held_out_labels_.narrow(0, first, count)};
}

}  // namespace helio::train
