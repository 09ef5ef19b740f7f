// SPDX-License-Identifier: Apache-2.0
// Meshes of MZIs on a page as heat-maps: columns by modes, coloured by one value of each MZI (drawn by web/mesh.js).
//
//     θ      the internal phase, folded to how far the MZI is from bar (0) to cross (π/2): asin |sin θ|
//     φ      the external phase, in (−π, π]
//     more   what the caller measured on the same MZIs, such as the errors of one chip
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "photonics/mesh.h"
#include "photonics/onn_compile.h"
#include "report/figures/figure.h"

namespace helio::report {

struct ShownMesh {
  std::string title;
  const photonics::Mesh* mesh = nullptr;
  std::vector<double> measured = {};  // of each MZI, or empty for all meshes
};

struct Measure {
  std::string name, unit;  // "phase error on one chip", "mrad"
};

inline constexpr std::size_t kMostShownMzis = 20000;

// The meshes of a network in the order in which light meets them, or of one layer, counted from 1. Those without MZIs are left out, and the
// amplitudes between V and U are no meshes. `compiled` outlives them.
std::vector<ShownMesh> meshes_of(const photonics::CompiledOnn& compiled, std::optional<int> layer = {});

// `measure` names what the meshes' `measured` is, where they have it. Throws Error(kInput) past kMostShownMzis, std::logic_error where
// measured values are not one for each MZI.
Figure mesh_figure(std::span<const ShownMesh> meshes, const Measure& measure = {});

// For each MZI, how far its internal phase 2θ is from what it was set to on a chip with normal offsets of that standard deviation (in radians),
// in milliradians: one draw.
std::vector<double> phase_errors_mrad(const photonics::Mesh& mesh, double sigma, std::uint64_t seed);

}  // namespace helio::report
