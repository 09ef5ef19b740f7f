// SPDX-License-Identifier: Apache-2.0
// Images on the device, and the crops of them that a step sees (He et al. 2016, 4.2: "4 pixels are padded on each side, and a 32×32
// crop is randomly sampled from the padded image or its horizontal flip").
//
//     . . . . . . . .      . zero pixels, black: padded before normalising, as is usual; the mean would be another choice
//     . . ┌───────┐ .      # the image
//     . . │ # # # │ .      ┌┐ a crop: offsets 0 to 8 in both directions and a flip from (seed, step), the same on every device
//     . . │ # # # │ .
//     . . └───────┘ .      A crop is found by addition: pixel (y, x) of example b is stored pixel
//     . . . . . . . .      start[b] + 40·y ± x, so that one gather of 3-byte pixels makes a batch, in channels-last order.
//
// Normalised by the training set's own mean and standard deviation per channel, in float, then brought to the wanted precision.
#pragma once

#include "train/data/batch_order.h"
#include "train/data/examples.h"
#include "train/data/labelled_images.h"

namespace helio::train {

class ImageExamples : public Examples {
 public:
  static constexpr std::int64_t kPadding = 4;

  // `augment`: crops and flips; without it images come as they are. Throws Error(kInput) for images that cannot be normalised.
  // Requires: at least one image each, of the same classes.
  ImageExamples(const LabelledImages& train, const LabelledImages& held_out, bool augment, std::uint64_t seed,
                const at::Device& device, at::ScalarType precision);

  std::int64_t size() const override { return order_.examples(); }
  std::int64_t classes() const override { return classes_; }
  Batch batch(std::int64_t step, std::int64_t count) override;
  std::int64_t steps_per_epoch(std::int64_t count) const override { return order_.steps_per_epoch(count); }
  std::int64_t held_out() const override { return held_out_labels_.size(0); }
  Batch held_out_batch(std::int64_t first, std::int64_t count) override;

 private:
  at::Tensor normalised(const at::Tensor& pixels) const;  // [n, S, S, C] bytes to [n, C, S, S]

  std::int64_t classes_;
  std::uint64_t seed_;
  std::int64_t padding_;  // 0 where nothing is augmented
  at::Device device_;
  at::ScalarType precision_;
  BatchOrder order_;
  at::Tensor pixels_, labels_;                    // [images · stored side², C] bytes; [images] long
  at::Tensor held_out_pixels_, held_out_labels_;  // [images, S, S, C] bytes
  at::Tensor down_, across_;                      // [1, S, 1] and [1, 1, S]: where rows and columns of a crop lie
  at::Tensor mean_, scale_;                       // [C] float: the value is (pixel − mean) · scale
};

}  // namespace helio::train
