// SPDX-License-Identifier: Apache-2.0
// OptINC: what is reported of it (traffic 1 instead of 2(N-1)/N, about half of the MZIs, training 17 % to 25 % shorter), and what of
// that is arithmetic, what a choice, and what a parameter that nobody told us.
//
//     chapters.h     what is told, in order: one function per chapter
//     assumption.h   what a row rests on; its label follows from it
//     runs.h         questions to the product, each asked once
//     saving.h       what a step saves, and how much of that is quantisation
//     networks.h     the constructed networks that chapters share, and the search for cheaper ones
//     noise.h        wrong points by noise
//
// Spec: papers/optinc.md. The abstract and a few points of secondary sources are known; the model is ours.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry optinc();

}  // namespace helio::studies
