// SPDX-License-Identifier: Apache-2.0
// Of an all-reduce over n units of m ranks: how much to add up below a unit's level, and how much above.
//
// N = n m values of an element become one and are known N times. What is added and copied below costs the links of a unit's ranks, what is
// sent up unsummed costs the unit's injection into the level above, and the two are busy at the same time:
//
//     time ▲ ╲ below                        sent up: partial sums of a unit that leave it, from 1 (all is added below)
//          │   ╲        ╱ above                      to m (nothing is), 2m - 1 where the level above averages
//          │     ╲   ╱                      the least of the longer one is a bound for every schedule, and by-level meets it with two
//          │      ╳                         orders of the levels (schedule/by_level.h), each for a share of the vector
//          └─────────────▶ sent up
//
// docs/bounds.md, "Levels", derives each line.
#pragma once

#include "base/quantity.h"
#include "schedule/capabilities.h"

namespace helio::schedule {

struct UnitsAndRanks {
  double units = 2, ranks = 2;  // n, and m of each
  double sharing = 1;           // groups with the same units, which share the level above
  double copies = 1;            // bytes that a copied sum is below for one of the vector: less where codes travel
};

struct LevelSplit {
  double seconds = 0;      // no schedule takes less
  double above_first = 0;  // share of the vector that goes the other way around: summed above before it is summed below
};

// Requires: ranks >= 2, units >= 2, injections above 0.
LevelSplit best_split(Bytes bytes, const UnitsAndRanks& shape, const Capabilities& below, const Capabilities& above);

}  // namespace helio::schedule
