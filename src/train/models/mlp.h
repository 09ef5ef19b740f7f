// SPDX-License-Identifier: Apache-2.0
// A stack of linear layers with ReLU between them, on flattened images: the smallest thing that can be trained.
//
//     [n, channels·side²] ─▷ width ─▷ … ─▷ width ─▷ classes        `layers` hidden ones
//
// Start values: normal, σ = √(2/in) before a ReLU and √(1/in) before the scores (He et al. 2015); biases 0.
#pragma once

#include <memory>

#include "train/models/model.h"

namespace helio::train {

// Requires: sizes of `spec` that are positive. Throws Error(kInfeasible) for more parameters than memory holds (training_memory.h).
std::unique_ptr<Model> make_mlp(const ModelSpec& spec, int servers, const at::Device& device, at::ScalarType precision,
                                std::uint64_t seed);

}  // namespace helio::train
