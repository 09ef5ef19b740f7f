// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "photonics/mesh_realised.h"

namespace helio::photonics {
namespace {

constexpr double kLightSpeedMmPerS = 2.99792458e11;  // exact by definition of the metre

void check(const MziParameters& parameters) {
  const std::pair<const char*, double> sizes[] = {{"length_mm", parameters.length_mm},
                                                  {"group_index", parameters.group_index},
                                                  {"loss_db", parameters.loss_db},
                                                  {"pitch_mm", parameters.pitch_mm},
                                                  {"heater_mw_pi", parameters.heater_mw_pi}};
  for (const auto& [name, value] : sizes)
    if (!(value >= 0) || std::isinf(value))
      throw Error(ErrorKind::kInput,
                  fmt::format("MZI parameter '{}' is {}; it has to be a number from 0 on", name, value));
}

// Fewest and most MZIs on the ways to a mode.
struct Passed {
  int fewest = std::numeric_limits<int>::max(), most = -1;  // as they stand: no light

  bool lit() const { return most >= 0; }
};

// On the ways from any lit input to any read output.
Passed passed_by_paths(const Mesh& mesh) {
  std::vector<Passed> at(mesh.modes);
  std::fill_n(at.begin(), mesh.inputs, Passed{0, 0});
  for (const Mzi& mzi : mesh.mzis) {
    Passed &upper = at[mzi.mode], &lower = at[mzi.lower()];
    if (!upper.lit() && !lower.lit()) continue;
    upper = lower = {std::min(upper.fewest, lower.fewest) + 1, std::max(upper.most, lower.most) + 1};
  }
  Passed all;
  for (int mode = 0; mode < mesh.outputs; ++mode)
    if (at[mode].lit()) all = {std::min(all.fewest, at[mode].fewest), std::max(all.most, at[mode].most)};
  return all;
}

// Of light spread evenly over the lit inputs, in phases that have nothing to do with each other.
double mean_loss_db(const Mesh& mesh, double loss_db) {
  if (loss_db == 0 || mesh.mzis.empty()) return 0;
  RealisedMesh lossy = ideal(mesh);
  const double power = matrix(lossy).squaredNorm(), left = std::pow(10.0, -loss_db / 20);
  for (Transfer& t : lossy.transfers) t = {left * t.t00, left * t.t01, left * t.t10, left * t.t11};
  return 10 * std::log10(power / matrix(lossy).squaredNorm());
}

}  // namespace

MeshCost cost(const Mesh& mesh, const MziParameters& parameters) {
  check(parameters);
  MeshCost cost;
  cost.mzis = static_cast<long>(mesh.mzis.size());
  cost.depth = depth(mesh);
  cost.shifters = 2 * cost.mzis + mesh.modes;

  // Loss.
  const Passed passed = passed_by_paths(mesh);
  cost.worst_loss_db = passed.most * parameters.loss_db;
  cost.best_loss_db = passed.fewest * parameters.loss_db;
  cost.mean_loss_db = mean_loss_db(mesh, parameters.loss_db);

  // Space and time.
  cost.length_mm = cost.depth * parameters.length_mm;
  cost.width_mm = mesh.modes * parameters.pitch_mm;
  cost.area_mm2 = cost.length_mm * cost.width_mm;
  cost.flight_time_s = cost.length_mm * parameters.group_index / kLightSpeedMmPerS;

  // Heat.
  double phases = 0;
  for (const Mzi& mzi : mesh.mzis) phases += heated(2 * mzi.theta) + heated(mzi.phi);
  for (const double phase : mesh.output_phases) phases += heated(phase);
  cost.heater_mw = phases / std::numbers::pi * parameters.heater_mw_pi;
  return cost;
}

}  // namespace helio::photonics
