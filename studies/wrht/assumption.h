// SPDX-License-Identifier: Apache-2.0
// What a row of WRHT rests on.
#pragma once

#include <cstdint>

#include "studies/assumption.h"
#include "studies/wrht/runs.h"

namespace helio::studies::wrht_study {

// Published numbers, and families of them, that an assumption may have been chosen to meet; a set of bits.
enum Number : std::uint32_t {
  kNone = 0,
  kV2Ring = 1,
  kV2HRing = 2,
  kV2Tree = 4,
  kV2Electrical = 8,
  kV1Ring = 16,
  kV1HRing = 32,
  kV1Tree = 64,
  kOpTreeWrht = 128,
  kOpTreeOverNodes = 256,
};

inline const RowMaker published_row{.study = "wrht"}, derived_row{.study = "wrht", .versus = "expected"};

// The machine and its readings. Everything but the abstracts is recalled, which is `literal` here: taken at face value.
Assumption machine(int wavelengths = kWavelengths);            // retuned before every step
Assumption retuned_when_changed();                             // the same machine
Assumption literal_rate();                                     // 40 Gb/s
Assumption fitted_rate();                                      // 40 GB/s
Assumption other_rate(double rate, std::uint32_t chosen_for);  // solved from a published number
Assumption shortcut();                                         // the described algorithm
Assumption no_shortcut();                                      // theta = 4
Assumption one_wavelength();                                   // of Ring and BT
Assumption h_ring_split();
Assumption h_ring_stretches();  // when it retunes, if not in every step
Assumption fat_tree();

}  // namespace helio::studies::wrht_study
