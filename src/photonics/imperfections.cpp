// SPDX-License-Identifier: Apache-2.0
#include "photonics/imperfections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/error.h"

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

// The phases that a chip's heaters are driven to, and which MZI stands where.
class Heaters {
 public:
  Heaters(const Mesh& mesh, const Flaws& flaws) : mesh_(mesh), flaws_(flaws) {
    for (const Mzi& mzi : mesh.mzis) {
      internal_.push_back(level(2 * mzi.theta, flaws.phase_bits));
      external_.push_back(level(mzi.phi, flaws.phase_bits));
    }
    for (const double phase : mesh.output_phases) output_.push_back(level(phase, flaws.phase_bits));
    if (flaws.crosstalk == 0) return;
    at_.assign(static_cast<std::size_t>(depth(mesh)) * mesh.modes, -1);
    for (std::size_t k = 0; k < mesh.mzis.size(); ++k) at_[place(mesh.mzis[k].column, mesh.mzis[k].mode)] = k;
  }

  // What comes out of each shifter.
  double internal(std::size_t k) const {
    return given(internal_[k], flaws_.internal[k]) + leaked_from(internal_, external_[k], k);
  }
  double external(std::size_t k) const {
    return given(external_[k], flaws_.external[k]) + leaked_from(external_, internal_[k], k);
  }
  double output(int mode) const {
    const double phase = given(output_[mode], flaws_.output[mode]);
    if (flaws_.crosstalk == 0) return phase;
    const double above = mode > 0 ? heated(output_[mode - 1]) : 0;
    const double below = mode + 1 < mesh_.modes ? heated(output_[mode + 1]) : 0;
    return phase + flaws_.crosstalk * (above + below);
  }

 private:
  std::size_t place(int column, int mode) const { return static_cast<std::size_t>(column) * mesh_.modes + mode; }

  static double given(double phase, const Shifter& shifter) {
    return phase + shifter.gain * heated(phase) + shifter.offset;
  }

  double leaked_from(const std::vector<double>& same_kind, double partner, std::size_t k) const {
    if (flaws_.crosstalk == 0) return 0;
    static constexpr std::pair<int, int> kNearest[] = {{0, -2}, {0, 2}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    const int columns = static_cast<int>(at_.size()) / mesh_.modes;
    double sum = heated(partner);
    for (const auto& [columns_on, modes_down] : kNearest) {
      const int column = mesh_.mzis[k].column + columns_on, mode = mesh_.mzis[k].mode + modes_down;
      if (column < 0 || column >= columns || mode < 0 || mode >= mesh_.modes) continue;
      const long other = at_[place(column, mode)];
      if (other >= 0) sum += heated(same_kind[other]);
    }
    return flaws_.crosstalk * sum;
  }

  const Mesh& mesh_;
  const Flaws& flaws_;
  std::vector<double> internal_, external_, output_;
  std::vector<long> at_;  // MZI at (column, mode), -1: none; only with crosstalk
};

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
  const Heaters heaters(mesh, flaws);
  RealisedMesh realised{mesh.modes, mesh.inputs, mesh.outputs, {}, {}, {}};
  realised.mzi_modes.reserve(mesh.mzis.size());
  realised.transfers.reserve(mesh.mzis.size());
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    realised.mzi_modes.push_back(mesh.mzis[k].mode);
    realised.transfers.push_back(transfer(heaters.internal(k) / 2, heaters.external(k), flaws.mzis[k]));
  }
  for (int mode = 0; mode < mesh.modes; ++mode) realised.output.push_back(phasor(heaters.output(mode)));
  return realised;
}

RealisedMesh realise(const Mesh& mesh, const Imperfections& imperfections, Random& random) {
  return realise(mesh, fabricate(mesh, imperfections, random));
}

}  // namespace helio::photonics
