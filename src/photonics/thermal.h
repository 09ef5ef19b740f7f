// SPDX-License-Identifier: Apache-2.0
// Heat that leaks from one phase shifter to all the others of a chip, by distance.
//
//   A heater that is driven to phase p warms a waveguide at distance d by   crosstalk · p · (d₀/d) · e^−(d−d₀)/h:
//
//     d₀   one pitch of modes, 0.127 mm: what a shifter next to it sees is `crosstalk` itself
//     1/d  a small source on a thick body; the exponential, h = 0.5 mm, is the heat that the substrate takes down to its sink
//     beyond 1 mm (2 % of what the nearest sees) nothing is counted
//
//   Columns are 0.2 mm apart; an MZI's external shifter stands at its left end, the internal one in its middle. The law and its lengths
//   are ours; that heaters are felt over millimetres was measured (Biasi et al., Front. Phys. 10:1093191, 2022), and that what is
//   known of them can be taken back too (Gurses et al., arXiv 2206.04525).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "photonics/mesh.h"

namespace helio::photonics {

// On a lattice: half columns to the right, modes down.
struct HeaterPlace {
  int half_column = 0, mode = 0;
};

// Of a mesh whose first column and mode stand at `column` and `mode`: internal and external shifter of each MZI in turn, then the outputs.
std::vector<HeaterPlace> heater_places(const Mesh& mesh, int column = 0, int mode = 0);
// The phases asked of them, in the same order: ψ = 2θ, φ; ω.
std::vector<double> heater_phases(const Mesh& mesh);

// Part of a phase that a shifter this far away sees, for a crosstalk of 1.
double heat_seen(int half_columns, int modes);

class HeatSpread {
 public:
  // Requires: no two heaters at one place.
  explicit HeatSpread(const std::vector<HeaterPlace>& places);

  // What each sees of all the others when they are driven to these phases, for a crosstalk of 1.
  std::vector<double> leaked(std::span<const double> driven) const;

 private:
  struct Neighbour {
    std::uint32_t other;
    float seen;
  };
  std::vector<std::uint32_t> first_;  // of each heater's neighbours, and the end
  std::vector<Neighbour> neighbours_;
};

// How a chip's phases are set by measuring it. Every shifter has an unknown phase of its own (waveguides are never drawn to a fraction of a
// wavelength) and sees its neighbours' heat. Round by round each shifter's phase is measured while all of them are on, and its drive, one
// of 2^bits levels over 2π, is moved by what is missing:
//
//     p_i = own_i + d_i + crosstalk · Σ_j seen_ij d_j          d_i ← nearest level to d_i + (wanted_i − p_i), a turn more where that is below 0
//
// Heat is a small part of a phase, so that a few rounds leave nothing but levels. Returns what is left to each: p − wanted, within ±π.
// `rounds` = 0: each shifter was set alone, and the heat of the others stays.
std::vector<double> calibrated_phases(const HeatSpread& spread, std::span<const double> wanted, double crosstalk,
                                      int bits, int rounds, Random& random);

}  // namespace helio::photonics
