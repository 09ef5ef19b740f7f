// SPDX-License-Identifier: Apache-2.0
// Orthogonal matrices as trained parameters, cheaply: the matrix itself is kept, and every step ends on the orthogonal group.
//
//     G ─▷ G − Q·(QᵀG + GᵀQ)/2 ─▷ optimiser ─▷ Q + Δ ─▷ Q ← Q·(3 − QᵀQ)/2, twice
//          tangent part of the gradient               Newton–Schulz: the error e = ‖QᵀQ − 1‖ becomes about ¾e²
//
// Seven products of s × s matrices a step, no solve: a Cayley map of a skew matrix needs a solve in each direction
// (papers/optinc.md 2.4, where that was the bottleneck). The start of an iteration must have singular values below √3.
//
// All take batches of square matrices, blocks × s × s.
#pragma once

#include <ATen/core/Tensor.h>

namespace helio::train {

// In place: the part of the gradient that keeps `rotations` orthogonal.
void to_tangent(at::Tensor& gradient, const at::Tensor& rotations);

// In place: two iterations. Launches and nothing else, so that a step can be recorded.
void retract(at::Tensor& rotations);

// As near to orthogonal as the element type can say. Requires: singular values in (0, √3).
at::Tensor nearest_rotation(const at::Tensor& nearly);

// The orthogonal polar factor of any matrices, by their singular values.
at::Tensor polar_factor(const at::Tensor& matrices);

// Blocks B ≈ diag(d)·Q in the least-squares sense, by turns Q = polar factor of diag(d)·B and d_i = ⟨B_i, Q_i⟩, six times
// (2.3). Returns diag(d)·Q.
at::Tensor nearest_scaled_rotation(const at::Tensor& blocks);

}  // namespace helio::train
