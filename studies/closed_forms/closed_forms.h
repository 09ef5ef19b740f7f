// SPDX-License-Identifier: Apache-2.0
// Closed forms against the engine: cases whose time is a line of algebra.
//
// Symbols: n ranks, d bytes, r bytes per second of a link, l latency of a hop, s overhead of a step.
#pragma once

#include "studies/catalogue.h"

namespace helio::studies {

Catalogue<Study>::Entry closed_forms();

}  // namespace helio::studies
