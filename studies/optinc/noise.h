// SPDX-License-Identifier: Apache-2.0
// Wrong points by white noise after every linear stage (papers/optinc.md 2.5), N = 4, B = 8.
//
// Two readings of "after every linear stage", because the prototype's is not known to the last wire: a wire that a layer only passes on
// may take noise like all others (a mesh is as wide as its layer), or go past the mesh on a waveguide and take none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "photonics/onn.h"

namespace helio::studies::optinc_study {

// A column of the table of papers/optinc.md 2.5.
struct NoiseColumn {
  std::string name;
  photonics::Onn onn;
  std::vector<double> prototype;  // at kSigmas: measured by the spec's prototype
};
inline const std::vector<double> kSigmas = {0.02, 0.05, 0.08, 0.12};  // of a symbol
std::vector<NoiseColumn> noise_columns();

enum class PassedWires { kNoisy, kQuiet };

// Share of wrong points: of the whole grid, `draws` draws of the noise for each; or of so many random points.
double wrong_share(const photonics::Onn& onn, double sigma, PassedWires wires, int draws);
double wrong_share_of_random(const photonics::Onn& onn, double sigma, std::uint64_t points);

}  // namespace helio::studies::optinc_study
