// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/assumption.h"

#include <fmt/format.h>

namespace helio::studies::wrht_study {

Assumption machine(int wavelengths) {
  return from_memory(
      fmt::format("{} wavelengths each way, one per transfer, 25 us of retuning before every step, no other cost",
                  wavelengths),
      "papers/wrht.md 2.1, 3");
}
Assumption retuned_when_changed() {
  return of_our_own(
      fmt::format("changed rule; the published accounting charges every step: {} wavelengths each way, one per "
                  "transfer, 25 us of "
                  "retuning before a step with new lightpaths, no other cost",
                  kWavelengths));
}
Assumption literal_rate() {
  return from_memory("40 Gb/s per wavelength taken at face value, 5 GB/s", "papers/wrht.md 3");
}
Assumption fitted_rate() {
  return fitted_to({kV2Ring, kV2HRing}, "40 GB/s per transfer: chosen to meet v2's savings against Ring and H-Ring");
}
Assumption other_rate(double rate, double solved_for) {
  return solved_from({solved_for},
                     fmt::format("{} GB/s per transfer: solved from the published saving against Ring", rate / 1e9));
}
Assumption shortcut() {
  return from_memory("WRHT as described, with the all-to-all step where the wavelengths suffice", "papers/wrht.md 2.2");
}
Assumption no_shortcut() {
  return fitted_to(
      {kV2Tree},
      "WRHT without the all-to-all step (4 steps for 256 to 4096 nodes and 64 wavelengths): chosen to meet v2's saving "
      "against BT");
}
Assumption one_wavelength() {
  return noted("the baseline is run with the one wavelength that it lights; dark ones change nothing");
}
Assumption h_ring_split() {
  return fitted_to(
      {kV2HRing},
      "H-Ring from a formula: groups of 5, 16 steps of d/5 and 2(N/5-1) of 5d/N, the split chosen to meet v2's "
      "saving against H-Ring");
}
Assumption h_ring_stretches() {
  return of_our_own(
      "H-Ring retunes three times, once for each stretch with the same lightpaths: in groups, between them, in groups "
      "again");
}
Assumption fat_tree() {
  return of_our_own(
      "electrical network: our three-level fat-tree of 32-port switches, 40 Gb/s, 25 us per link crossed, routes by "
      "destination; "
      "the paper's is recalled with low confidence as a two-level one");
}

}  // namespace helio::studies::wrht_study
