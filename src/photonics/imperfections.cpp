// SPDX-License-Identifier: Apache-2.0
#include "photonics/imperfections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/error.h"
#include "photonics/thermal.h"

namespace helio::photonics {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// One stream for each kind of error.
enum Stream : std::uint64_t { kOffsets, kGains, kWalks, kSplitters, kLosses };

void check_range(const char* name, double value, double least, double most, const char* range) {
  if (!(value >= least && value <= most) || std::isinf(value))
    throw Error(ErrorKind::kInput, fmt::format("imperfection '{}' is {}; it has to be {}", name, value, range));
}

// The nearest phase that `bits` can set.
double level(double phase, int bits) {
  if (bits == 0) return phase;
  const double step = std::ldexp(kTurn, -bits);
  return std::round(phase / step) * step;
}

// What comes out of a chip's shifters, in the order of thermal.h.
std::vector<double> given_phases(const Mesh& mesh, const Flaws& flaws) {
  std::vector<double> phases = heater_phases(mesh), driven;
  for (double& phase : phases) {
    phase = level(phase, flaws.phase_bits);
    driven.push_back(heated(phase));
  }
  const std::size_t mzis = mesh.mzis.size();
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const Shifter& shifter = i >= 2 * mzis ? flaws.output[i - 2 * mzis]
                             : i % 2 == 0  ? flaws.internal[i / 2]
                                           : flaws.external[i / 2];
    phases[i] += shifter.gain * driven[i] + shifter.offset;
  }
  if (flaws.crosstalk == 0) return phases;
  const std::vector<double> heat = HeatSpread(heater_places(mesh)).leaked(driven);
  for (std::size_t i = 0; i < phases.size(); ++i) phases[i] += flaws.crosstalk * heat[i];
  return phases;
}

}  // namespace

void check(const Imperfections& imperfections) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const Imperfections& i = imperfections;
  const std::pair<const char*, double> sizes[] = {{"phase_sigma", i.phase_sigma},
                                                  {"phase_gain_sigma", i.phase_gain_sigma},
                                                  {"drift_walk", i.drift_walk},
                                                  {"time", i.time},
                                                  {"splitter_sigma", i.splitter_sigma},
                                                  {"mzi_loss_db", i.mzi_loss_db},
                                                  {"mzi_loss_sigma_db", i.mzi_loss_sigma_db}};
  for (const auto& [name, value] : sizes) check_range(name, value, 0, kMost, "a number from 0 on");
  check_range("phase_bits", i.phase_bits, 0, 48, "0 (any phase) or a number of bits up to 48");
  check_range("drift_rate", i.drift_rate, -kMost, kMost, "a finite number");
  check_range("crosstalk", i.crosstalk, 0, 1, "a part between 0 and 1");
  check_range("splitter_offset", i.splitter_offset, -std::numbers::pi / 4, std::numbers::pi / 4,
              "an angle between -π/4 (all light stays) and π/4 (all crosses)");
}

Flaws fabricate(const Mesh& mesh, const Imperfections& imperfections, Random& random) {
  check(imperfections);
  const Random chip(random.next());
  const std::size_t mzis = mesh.mzis.size();
  Flaws flaws;
  flaws.mzis.resize(mzis);
  flaws.internal.resize(mzis);
  flaws.external.resize(mzis);
  flaws.output.resize(mesh.modes);
  flaws.phase_bits = imperfections.phase_bits;
  flaws.crosstalk = imperfections.crosstalk;

  // Shifters.
  Random offsets = chip.split(kOffsets), gains = chip.split(kGains), walks = chip.split(kWalks);
  const double common = imperfections.drift_rate * imperfections.time;
  const double walk = imperfections.drift_walk * std::sqrt(imperfections.time);
  const auto fabricate_shifter = [&](Shifter& shifter) {
    if (imperfections.phase_gain_sigma > 0) shifter.gain = imperfections.phase_gain_sigma * gains.normal();
    shifter.offset = common;
    if (imperfections.phase_sigma > 0) shifter.offset += imperfections.phase_sigma * offsets.normal();
    if (walk > 0) shifter.offset += walk * walks.normal();
  };
  std::ranges::for_each(flaws.internal, fabricate_shifter);
  std::ranges::for_each(flaws.external, fabricate_shifter);
  std::ranges::for_each(flaws.output, fabricate_shifter);

  // Splitters and losses.
  Random splitters = chip.split(kSplitters), losses = chip.split(kLosses);
  for (MziFlaw& flaw : flaws.mzis) {
    flaw.first_splitter = flaw.second_splitter = imperfections.splitter_offset;
    if (imperfections.splitter_sigma > 0) {
      flaw.first_splitter += imperfections.splitter_sigma * splitters.normal();
      flaw.second_splitter += imperfections.splitter_sigma * splitters.normal();
    }
    flaw.loss_db = imperfections.mzi_loss_db;
    if (imperfections.mzi_loss_sigma_db > 0)
      flaw.loss_db = std::max(0.0, flaw.loss_db + imperfections.mzi_loss_sigma_db * losses.normal());
  }
  return flaws;
}

RealisedMesh realise(const Mesh& mesh, const Flaws& flaws) {
  assert(flaws.mzis.size() == mesh.mzis.size() && static_cast<int>(flaws.output.size()) == mesh.modes &&
         "the flaws are those of another mesh");
  return realise(mesh, given_phases(mesh, flaws), flaws.mzis);
}

RealisedMesh realise(const Mesh& mesh, std::span<const double> phases, std::span<const MziFlaw> mzis) {
  assert(phases.size() == 2 * mesh.mzis.size() + static_cast<std::size_t>(mesh.modes) && "a phase for every shifter");
  RealisedMesh realised{mesh.modes, mesh.inputs, mesh.outputs, {}, {}, {}};
  realised.mzi_modes.reserve(mesh.mzis.size());
  realised.mzi_spans.reserve(mesh.mzis.size());
  realised.transfers.reserve(mesh.mzis.size());
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    realised.mzi_modes.push_back(mesh.mzis[k].mode);
    realised.mzi_spans.push_back(mesh.mzis[k].span);
    realised.transfers.push_back(transfer(phases[2 * k] / 2, phases[2 * k + 1], mzis[k]));
  }
  for (const double phase : phases.subspan(2 * mesh.mzis.size())) realised.output.push_back(phasor(phase));
  return realised;
}

RealisedMesh realise(const Mesh& mesh, const Imperfections& imperfections, Random& random) {
  return realise(mesh, fabricate(mesh, imperfections, random));
}

}  // namespace helio::photonics
