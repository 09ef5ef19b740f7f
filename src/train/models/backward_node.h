// SPDX-License-Identifier: Apache-2.0
// A step of the backward pass that we wrote ourselves, in libtorch's graph. What a layer keeps for it (its input, its weights, where the
// gradients of the servers go) is what the function captures; it is let go as soon as it ran.
//
//     x ──▶ layer ──▶ y ──▶ …        forward, unrecorded
//     dx ◀─ backward ◀─ dy ◀─ …      returns one gradient for each of `inputs` (undefined where it has none)
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace helio::train {

using Backward = std::function<std::vector<at::Tensor>(const at::Tensor&)>;

// While it lives, operations are not recorded in the graph, nor are views.
using Unrecorded = at::AutoDispatchBelowADInplaceOrView;

// y, computed unrecorded from `inputs`, with its backward step. Where gradients are off, just y. A y that is kept in the step must be
// kept as y.detach(), or it would hold itself.
at::Tensor with_backward(at::Tensor y, const std::vector<at::Tensor>& inputs, Backward backward);

}  // namespace helio::train
