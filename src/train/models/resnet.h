// SPDX-License-Identifier: Apache-2.0
// Residual networks (He et al., "Deep residual learning for image recognition", 2016) with the stem for small images: one 3×3
// convolution of stride 1, no pooling. Four stages of `width`, 2·, 4·, 8·width channels; the later three begin with stride 2.
//
//     resnet18   2-2-2-2 basic blocks       x ─┬─▷ 3×3/s ─▷ bn ReLU ─▷ 3×3 ─▷ bn ─▷ + ─▷ ReLU
//                                              └──────────(1×1/s bn)────────────────┘
//     resnet50   3-4-6-3 bottlenecks        x ─┬─▷ 1×1 ─▷ bn ReLU ─▷ 3×3/s ─▷ bn ReLU ─▷ 1×1, ×4 ─▷ bn ─▷ + ─▷ ReLU
//                                              └───────────────────────(1×1/s bn)─────────────────────────┘
//
// The side path has a convolution only where shapes differ. Then the mean over all pixels, and a linear layer.
// Choices that the paper leaves open, as torchvision has them: the stride of a bottleneck sits in its 3×3; convolutions start normal with
// σ = √(2/(out·k²)) (fan-out); batch norms start at scale 1, the last of each block at 0 (zero_init_residual), so that blocks begin as
// identities. The last layer starts normal with the variance of torchvision's uniform values, 1/(3·in); its bias at 0.
#pragma once

#include <memory>

#include "train/models/model.h"

namespace helio::train {

// Requires: spec.name is resnet18 or resnet50; sizes that are positive.
std::unique_ptr<Model> make_resnet(const ModelSpec& spec, int servers, const at::Device& device,
                                   at::ScalarType precision, std::uint64_t seed);

}  // namespace helio::train
