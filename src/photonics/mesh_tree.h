// SPDX-License-Identifier: Apache-2.0
// Sums and copies of light as binary trees of MZIs: n waves into one, or one into n, in ⌈log₂ n⌉ columns. A chain of n − 1 MZIs
// (decompose.h) makes the same sum n − 1 columns deep.
//
//     0 ──╳──────╳──▷ Σ wᵢ aᵢ / ‖w‖        every node adds its two halves by their share of the power; signs are in θ.
//     1 ──╳      │                         What leaves by the lower mode of a node is dark where the waves are in proportion
//     2 ──╳──────╳                         to w, and ends there: so the next node may join modes that are no neighbours
//     3 ──╳                                without crossing a waveguide.
//
// Light of the first and of the last wave passes as many MZIs, within one: with dummy couplers where one is missing, all paths lose alike.
#pragma once

#include "photonics/mesh.h"

namespace helio::photonics {

// 1 × n: weights/‖weights‖. Requires: at least one weight, none of them 0.
Mesh sum_tree(const Eigen::VectorXd& weights);
// n × 1: the same, from one wave.
Mesh copy_tree(const Eigen::VectorXd& weights);

}  // namespace helio::photonics
