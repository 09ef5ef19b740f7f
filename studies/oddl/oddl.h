// SPDX-License-Identifier: Apache-2.0
// ODDL: what its abstract claims (1.6x over a fat-tree, 1.7x over SiP-Ring, four nodes "comparable" to an ideal switch), and which
// sets of assumptions give that.
//
//     chapters.h     what is told, in order: one function per chapter
//     assumption.h   what a row rests on; its label follows from it
//     cost.h         collectives as formulas (papers/oddl.md 2.5)
//     iteration.h    forward, backward, buckets: one iteration of VGG19
//     tree_share.h   what ECMP leaves of a fat-tree's line rate
//     presets.h      the sets H1 to H6 as data, and what they give
//     grid.h         how many of 11,520 sets would do as well
//     runs.h         questions to the product, each asked once
//
// Spec: papers/oddl.md. Only the abstract of the paper is known to us: no row is literal, and two ratios cannot choose among sets.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry oddl();

}  // namespace helio::studies
