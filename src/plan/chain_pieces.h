// SPDX-License-Identifier: Apache-2.0
// In how many pieces a chain or a tree is best walked, where nobody says: `chunks` of ring, bidirectional-ring, double-binary-tree.
//
// schedule::best_pieces has a closed form for links that charge nothing but latency, an overhead and one kind of setup. What fabrics
// really charge (retuning, protocols with caps, oversubscribed links, a controller) is known to the engine, so it is asked: first
// 1, 2, 4, … 64 and the closed form's number, then numbers around the best of them, in steps that become smaller.
//
// Invariant: the answer is what pipeline::run gives with `chunks` set to the fact "chunks" of it, and none of the numbers tried
// was faster. A number whose run would take more work than the limits is not tried, nor one that is sure to take longer than the best.
#pragma once

#include "pipeline/run.h"

namespace helio::plan {

inline constexpr pipeline::WorkLimits kFirstPiecesLimits{
    .nodes = 0, .moves = 1u << 20, .crossings = 1u << 20, .sharing = 1u << 24, .events = 1u << 20};
inline constexpr pipeline::WorkLimits kFurtherPiecesLimits{
    .nodes = 0, .moves = 1u << 16, .crossings = 1u << 17, .sharing = 1u << 21, .events = 1u << 17};

// Whether the number is left open: the algorithm has one, and nobody set it.
bool chooses_pieces(const pipeline::Collective& collective);

// As pipeline::run, which it calls once where there is nothing to choose.
pipeline::Result run_in_pieces(const pipeline::ChosenFabric& fabric, const pipeline::Experiment& experiment,
                               const pipeline::Collective& collective, const pipeline::RunOptions& options);

// The smaller of two limits each, of which 0 is none; without traces and pictures.
pipeline::RunOptions within(const pipeline::WorkLimits& limits, pipeline::RunOptions options);

}  // namespace helio::plan
