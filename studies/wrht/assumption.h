// SPDX-License-Identifier: Apache-2.0
// What a row of WRHT rests on.
#pragma once

#include "studies/assumption.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

// Published savings in percent that assumptions may have been chosen to meet (papers/wrht.md 4).
inline constexpr double kV2Ring = 80.81, kV2HRing = 64.36, kV2Tree = 82.12;
inline constexpr double kV2ElectricalRing = 92.42, kV2ElectricalDoubling = 91.31;
inline constexpr double kV1Ring = 75.59, kV1HRing = 49.25, kV1Tree = 70.1;

inline const RowMaker published_row{.study = "wrht"}, derived_row{.study = "wrht", .published = false};

// The machine and its readings. Everything but the abstracts is from memory.
Assumption machine(int wavelengths = kWavelengths);     // retuned before every step
Assumption retuned_when_changed();                      // the same machine
Assumption literal_rate();                              // 40 Gb/s
Assumption fitted_rate();                               // 40 GB/s
Assumption other_rate(double rate, double solved_for);  // solved from a published number
Assumption shortcut();                                  // the described algorithm
Assumption no_shortcut();                               // theta = 4
Assumption one_wavelength();                            // of Ring and BT
Assumption h_ring_split();
Assumption h_ring_stretches();  // when it retunes, if not in every step
Assumption fat_tree();

}  // namespace helio::studies::wrht_study
