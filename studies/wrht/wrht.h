// SPDX-License-Identifier: Apache-2.0
// WRHT, OpTree and the comparison paper of the same group: every number they published beside what we make of it.
//
//     chapters.h       what is told, in order: one function per chapter
//     assumption.h     what a row rests on; label and `predicted` follow from it
//     runs.h           questions to the product, each asked once
//     reduction.h      1 - T_WRHT / T_baseline, averaged over nodes and models
//     charts.cpp       the sweeps in pictures, with the planned schedule beside the published ones
//     planned.cpp      how many times faster the planned schedule is
//     reach.cpp        how large a ring may be before its light does not arrive
//     closed_forms.h   the same times as algebra, for what has no schedule and for tests
//
// Spec: papers/wrht.md. Only abstracts of these papers are known to us; their constants are recalled or fitted, which each row says.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry wrht();

}  // namespace helio::studies
