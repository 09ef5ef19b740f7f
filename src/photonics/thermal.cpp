// SPDX-License-Identifier: Apache-2.0
#include "photonics/thermal.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "photonics/mesh_cost.h"

namespace helio::photonics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr MziParameters kMzi;
constexpr double kSinkMm = 0.5, kReachMm = 1;
constexpr double kHalfColumnMm = kMzi.length_mm / 2, kPitchMm = kMzi.pitch_mm;
constexpr int kHalfColumns = static_cast<int>(kReachMm / kHalfColumnMm), kModes = static_cast<int>(kReachMm / kPitchMm);

double nearest_level(double phase, int bits) {
  if (bits == 0) return phase;
  const double step = std::ldexp(kTurn, -bits);
  return std::round(phase / step) * step;
}

double within_half_turn(double phase) { return std::remainder(phase, kTurn); }

}  // namespace

std::vector<HeaterPlace> heater_places(const Mesh& mesh, int column, int mode) {
  std::vector<HeaterPlace> places;
  places.reserve(2 * mesh.mzis.size() + static_cast<std::size_t>(mesh.modes));
  for (const Mzi& mzi : mesh.mzis) {
    places.push_back({2 * (column + mzi.column) + 1, mode + mzi.mode});
    places.push_back({2 * (column + mzi.column), mode + mzi.mode});
  }
  const int end = 2 * (column + depth(mesh));
  for (int m = 0; m < static_cast<int>(mesh.output_phases.size()); ++m) places.push_back({end, mode + m});
  return places;
}

std::vector<double> heater_phases(const Mesh& mesh) {
  std::vector<double> phases;
  phases.reserve(2 * mesh.mzis.size() + mesh.output_phases.size());
  for (const Mzi& mzi : mesh.mzis) {
    phases.push_back(2 * mzi.theta);
    phases.push_back(mzi.phi);
  }
  phases.insert(phases.end(), mesh.output_phases.begin(), mesh.output_phases.end());
  return phases;
}

double heat_seen(int half_columns, int modes) {
  const double away = std::hypot(half_columns * kHalfColumnMm, modes * kPitchMm);
  return away == 0 || away > kReachMm ? 0 : kPitchMm / away * std::exp(-(away - kPitchMm) / kSinkMm);
}

HeatSpread::HeatSpread(const std::vector<HeaterPlace>& places) {
  // Which heater stands where, with an empty margin all round.
  int columns = 0, modes = 0;
  for (const HeaterPlace& place : places) {
    columns = std::max(columns, place.half_column + 1);
    modes = std::max(modes, place.mode + 1);
  }
  const int width = modes + 2 * kModes;
  const auto at = [&](int column, int mode) {
    return static_cast<std::size_t>(column + kHalfColumns) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(mode + kModes);
  };
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> standing(at(columns + kHalfColumns, 0), kNone);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    std::uint32_t& here = standing[at(places[i].half_column, places[i].mode)];
    assert(here == kNone && "two heaters at one place");
    here = i;
  }

  // Its neighbours.
  double seen[2 * kHalfColumns + 1][2 * kModes + 1];
  for (int c = -kHalfColumns; c <= kHalfColumns; ++c)
    for (int m = -kModes; m <= kModes; ++m) seen[c + kHalfColumns][m + kModes] = heat_seen(c, m);
  for (const HeaterPlace& place : places) {
    first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    for (int c = -kHalfColumns; c <= kHalfColumns; ++c)
      for (int m = -kModes; m <= kModes; ++m) {
        const std::uint32_t other = standing[at(place.half_column + c, place.mode + m)];
        const double part = seen[c + kHalfColumns][m + kModes];
        if (other != kNone && part > 0) neighbours_.push_back({other, static_cast<float>(part)});
      }
  }
  first_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
}

std::vector<double> HeatSpread::leaked(std::span<const double> driven) const {
  assert(driven.size() + 1 == first_.size() && "one drive for each heater");
  std::vector<double> heat(driven.size(), 0);
  for (std::size_t i = 0; i < driven.size(); ++i)
    for (std::uint32_t k = first_[i]; k < first_[i + 1]; ++k)
      heat[i] += static_cast<double>(neighbours_[k].seen) * driven[neighbours_[k].other];
  return heat;
}

std::vector<double> calibrated_phases(const HeatSpread& spread, std::span<const double> wanted, double crosstalk,
                                      int bits, int rounds, Random& random) {
  // Each alone, the others cold.
  std::vector<double> own(wanted.size()), driven(wanted.size()), left(wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    own[i] = kTurn * random.uniform();
    driven[i] = nearest_level(heated(wanted[i] - own[i]), bits);
  }

  // All together.
  for (int round = 0;; ++round) {
    const std::vector<double> heat = crosstalk > 0 ? spread.leaked(driven) : std::vector<double>(wanted.size(), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      left[i] = within_half_turn(own[i] + driven[i] + crosstalk * heat[i] - wanted[i]);
    if (round == rounds) return left;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double next = driven[i] - left[i];
      driven[i] = nearest_level(next < 0 ? next + kTurn : next, bits);
    }
  }
}

}  // namespace helio::photonics
