// SPDX-License-Identifier: Apache-2.0
// What a mesh costs: MZIs, depth, loss along its paths, area, flight time and heater power (papers/optinc.md, 2.7).
//
//   A path is a way of the light from an input to an output, always forward. Loss counts the MZIs on it: at the edges
//   of a rectangle light passes every other column by, so that paths differ:
//
//     0  ────╳───────╳──────▷       straight along mode 0: 2 MZIs
//     1  ────╳───╳───╳───╳──▷       inside: 4
//
// Defaults of length, group index and loss are the recalled ones of the spec (section 3); pitch and heater power are ours.
#pragma once

#include "photonics/mesh.h"

namespace helio::photonics {

struct MziParameters {
  double length_mm = 0.2;    // [recalled], papers/optinc.md, 3
  double group_index = 4.2;  // [recalled], same place
  double loss_db = 0.2;      // [recalled], same place; published values are about 0.1 to 0.5 dB
  double pitch_mm = 0.127;   // between neighbouring modes: half of a fibre array's 0.25 mm, ours
  double heater_mw_pi = 0;   // power for a phase of π; 0: not known, and no power is reported
};

struct MeshCost {
  long mzis = 0;
  int depth = 0;
  long shifters = 0;         // ψ and φ of each MZI, ω of each mode
  double worst_loss_db = 0;  // of all paths from a lit input to a read output,
  double best_loss_db = 0;
  double mean_loss_db = 0;  // of the power: what is lost of light spread evenly over the lit inputs, MZIs as set
  double length_mm = 0, width_mm = 0, area_mm2 = 0;
  double flight_time_s = 0;
  double heater_mw = 0;  // at the phases as set, each in [0, 2π)
};

MeshCost cost(const Mesh& mesh, const MziParameters& parameters = {});

}  // namespace helio::photonics
