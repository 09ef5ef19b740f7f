// SPDX-License-Identifier: Apache-2.0
// What a built mesh does in place of the drawn one: errors of each component, drawn once ("fabricate"), then the mesh
// that results ("realise"), as one 2×2 transfer per MZI (papers/optinc.md, 7.1). Models and magnitudes are ours.
//
//   A phase shifter is asked for phase p: an MZI's ψ = 2θ (difference of its arms) and φ, an output's ω. It gives
//
//     p' = q + gain · heated(q) + offset + drift(t) + crosstalk · Σ seen · heated(q of its neighbours)
//
//     q       the nearest of 2^bits levels k · 2π / 2^bits; p itself without bits
//     heated  q modulo 2π, in [0, 2π): what a heater is driven to
//     gain    normal, relative: a heater's efficiency ("gamma")
//     offset  normal, radians: fabrication and calibration
//     drift   drift_rate · t, equal for all (temperature), plus drift_walk · √t · normal, each its own: a slow
//             random walk, of which one moment t is seen
//
//   Its neighbours are all shifters within a millimetre, each by its distance (thermal.h).
//
// Every kind of error has a stream of random numbers of its own: switching one on does not change the others' draws,
// and the same seed with a doubled sigma gives doubled errors.
#pragma once

#include <span>
#include <vector>

#include "base/random.h"
#include "photonics/mesh_realised.h"

namespace helio::photonics {

// All zero: ideal.
struct Imperfections {
  double phase_sigma = 0;       // radians: standard deviation of every shifter's offset
  double phase_gain_sigma = 0;  // relative: of every shifter's gain
  int phase_bits = 0;           // levels over 2π as a power of two; 0: any phase can be set
  double drift_rate = 0;        // radians per second, the same for every shifter
  double drift_walk = 0;        // radians per square root of a second
  double time = 0;              // seconds since the phases were set
  double crosstalk =
      0;  // part of a shifter's phase that one a pitch of modes away sees; others by distance (thermal.h)
  double splitter_offset = 0;    // radians: mean error of a coupler's angle
  double splitter_sigma = 0;     // radians: its standard deviation
  double mzi_loss_db = 0;        // mean loss of power in one MZI
  double mzi_loss_sigma_db = 0;  // its standard deviation; a draw below zero counts as zero
};

// Error (kInput) that names the field if one is negative, not finite or out of its range.
void check(const Imperfections& imperfections);

// What fabrication and time did to each component of one chip.
struct Shifter {
  double gain = 0, offset = 0;  // offset with drift
};
struct Flaws {
  std::vector<MziFlaw> mzis;                // as Mesh::mzis
  std::vector<Shifter> internal, external;  // as Mesh::mzis
  std::vector<Shifter> output;              // one per mode
  int phase_bits = 0;
  double crosstalk = 0;
};

Flaws fabricate(const Mesh& mesh, const Imperfections& imperfections, Random& random);

// A mesh set to its phases on a chip with these flaws. Without flaws it is the ideal mesh, bit for bit.
RealisedMesh realise(const Mesh& mesh, const Flaws& flaws);
// The same for phases that its shifters give, in the order of thermal.h.
RealisedMesh realise(const Mesh& mesh, std::span<const double> phases, std::span<const MziFlaw> mzis);
// The same on a fresh chip; equal to realise(mesh, fabricate(mesh, imperfections, random)).
RealisedMesh realise(const Mesh& mesh, const Imperfections& imperfections, Random& random);

}  // namespace helio::photonics
