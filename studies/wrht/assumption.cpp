// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/assumption.h"

#include <fmt/format.h>

namespace helio::studies::wrht_study {

Assumption machine(int wavelengths) {
  return {fmt::format(
      "{} wavelengths each way, one per transfer, 25 us of retuning before every step, no other cost (recalled)",
      wavelengths)};
}
Assumption retuned_when_changed() {
  return {fmt::format("changed rule; the published accounting charges every step: {} wavelengths each way, one per "
                      "transfer, 25 us of "
                      "retuning before a step with new lightpaths, no other cost",
                      kWavelengths),
          Strength::kOurs};
}
Assumption literal_rate() { return {"40 Gb/s per wavelength taken at face value, 5 GB/s"}; }
Assumption fitted_rate() {
  return {"40 GB/s per transfer: chosen to meet v2's savings against Ring and H-Ring", Strength::kFitted,
          kV2Ring | kV2HRing};
}
Assumption other_rate(double rate, std::uint32_t chosen_for) {
  return {fmt::format("{} GB/s per transfer: solved from the published saving against Ring", rate / 1e9),
          Strength::kCalibrated, chosen_for};
}
Assumption shortcut() { return {"WRHT as described, with the all-to-all step where the wavelengths suffice"}; }
Assumption no_shortcut() {
  return {
      "WRHT without the all-to-all step (4 steps for 256 to 4096 nodes and 64 wavelengths): chosen to meet v2's saving "
      "against "
      "BT",
      Strength::kFitted, kV2Tree};
}
Assumption one_wavelength() {
  return {"the baseline is run with the one wavelength that it lights; dark ones change nothing"};
}
Assumption h_ring_split() {
  return {
      "H-Ring from a formula: groups of 5, 16 steps of d/5 and 2(N/5-1) of 5d/N, the split chosen to meet v2's "
      "saving against H-Ring",
      Strength::kFitted, kV2HRing};
}
Assumption h_ring_stretches() {
  return {
      "H-Ring retunes three times, once for each stretch with the same lightpaths: in groups, between them, in groups "
      "again",
      Strength::kOurs};
}
Assumption fat_tree() {
  return {
      "electrical network: our three-level fat-tree of 32-port switches, 40 Gb/s, 25 us per link crossed, routes by "
      "destination; "
      "the paper's is recalled with low confidence as a two-level one",
      Strength::kOurs};
}

}  // namespace helio::studies::wrht_study
