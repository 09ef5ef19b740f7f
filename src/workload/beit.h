// SPDX-License-Identifier: Apache-2.0
// BEiT-L (Bao et al., ICLR 2022): the vision transformer ViT-L/16 (Dosovitskiy et al. 2021: 24 x 1024, 16 heads, "307M") with
// relative positions, as fine-tuned on ImageNet. An image is cut into patches of 16 x 16, each a token, and one token more.
//
// What differs from a language model's block: keys have no bias, each branch is scaled by a learned vector, and scores get a
// bias per head and distance of two patches, (2n-1)² + 3 of them with n patches along a side.
#pragma once

#include "workload/workload.h"

namespace helio::workload {

constexpr std::uint64_t kBeitPatch = 16;

// Requires: `image` (pixels along a side) is a positive multiple of kBeitPatch, at most 2048.
Workload beit_large(std::uint64_t image);

}  // namespace helio::workload
