// SPDX-License-Identifier: Apache-2.0
// Images drawn from a seed, for trials without data: every class has a mosaic of its own under noise, so that a network can learn
// them and held-out images tell whether it did. They say nothing about accuracy on photographs.
//
//     a mosaic: 4 × 4 tiles of 8 × 8 pixels, one shade per tile and         a b b a
//     channel, mirrored left to right: a flipped image keeps its class,     c d d c
//     and one shifted by a few pixels nearly does                           e f f e
//                                                                           g h h g
#pragma once

#include <cstdint>

#include "train/data/labelled_images.h"

namespace helio::train {

struct MadeImages {
  LabelledImages train, held_out;
};

// `images` to train on and a quarter as many held out, at least one per class each; image i has class i mod `classes`. Throws
// Error(kInput) for fewer images than classes and for classes outside 2 to 256.
MadeImages make_images(std::int64_t images, std::int64_t classes, std::uint64_t seed);

}  // namespace helio::train
