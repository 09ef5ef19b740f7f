// SPDX-License-Identifier: Apache-2.0
// One system: wafers inside, light or copper between, all four designs in one machine. GPT-3 175B and Transformer-1T on 64 wafers x 20
// NPUs with the same injection per wafer; which level binds, and from which injection on the answer changes.
//
//     machines.h     the machines, as words of composites
//     runs.h        iterations of models on them, each asked once, and what bounds them
//     chapters.h    what is told, in order
//     assumption.h  what rows rest on
//
// Nobody published these numbers: every row is ours and stands beside a lower bound.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry one_system();

}  // namespace helio::studies
