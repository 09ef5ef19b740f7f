// SPDX-License-Identifier: Apache-2.0
// How many sets of assumptions would give the published ratios (papers/oddl.md 6): nine knobs, 11,520 sets, by the formulas of
// cost.h and iteration.h. Two ratios cannot choose among those that fit.
#pragma once

namespace helio::studies::oddl_study {

struct GridCount {
  int sets = 0;
  int fit = 0;                                                               // within 0.06 of both 1.6 and 1.7
  int half_sip_ring = 0;                                                     // of these: SiP-Ring at half rate
  int full_tree = 0, three_quarter_tree = 0, half_tree = 0, third_tree = 0;  // and the tree at this share of line rate
};

GridCount count_grid();

}  // namespace helio::studies::oddl_study
