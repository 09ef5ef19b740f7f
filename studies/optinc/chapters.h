// SPDX-License-Identifier: Apache-2.0
// The chapters of the study, in the order in which they are printed. Sections are those of papers/optinc.md.
#pragma once

#include <cstdint>
#include <vector>

#include "studies/catalogue.h"
#include "studies/optinc/runs.h"

namespace helio::studies::optinc_study {

// What is reported (4)
Rows traffic(Runs& runs);      // 2(N-1)/N against 1
Rows area();                   // layers as blocks, about half
Rows saving_rows(Runs& runs);  // 17 % to 25 %, and what it takes

// The model (2)
Rows serialisation(Runs& runs);  // 2.7
Rows ring_widths(Runs& runs);    // 2.7: the ring charged at 32, 16 and 8 bits
Rows datasets();                 // 2.2
Rows exactness();                // 2.5: wrong points of constructed networks
Rows noise_rows();               // 2.5
Rows phases();                   // 5.2
Rows cascades();                 // 2.6
Rows flight(Runs& runs);         // 2.7: depth, time and loss

// Networks that were trained (5)
Rows trained_rows();
struct TrainedSize {
  long mzis = 0;
  std::uint64_t wrong = 0;  // of 28,561
};
std::vector<TrainedSize> trained_curve();  // N = 4, B = 8, blocks in all layers: smallest first

// In pictures
std::vector<report::Chart> charts(Runs& runs);
// Meshes of the cheapest exact network that was found, and of the second layer of a trained one; the phase errors of a chip.
std::vector<report::Figure> pictures();

// The rows that the design is known for, in words, and why they differ where they do.
std::vector<report::Headline> headlines();

}  // namespace helio::studies::optinc_study
