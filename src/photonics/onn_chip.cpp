// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_chip.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/error.h"
#include "photonics/averaging_grid.h"

namespace helio::photonics {
namespace {

constexpr int kRounds = 8;  // of measuring phases; each leaves a tenth or less of the heat that the last one left
constexpr Eigen::Index kCalibration = 4096;  // points that gains and thresholds are set at
constexpr std::uint64_t kCalibrationSeed = 1;
constexpr double kNearest =
    1.5;  // points of a decision: within its range, and up to so many times as far from it as the nearest

double kept(double loss_db) { return std::pow(10.0, -loss_db / 20); }

// Columns that a mode passed by before each MZI (upper, lower), and behind its last one.
struct Idle {
  std::vector<std::pair<int, int>> before;
  std::vector<int> behind;
};

Idle idle_columns(const Mesh& mesh) {
  Idle idle;
  std::vector<int> passed(static_cast<std::size_t>(mesh.modes), 0);
  for (const Mzi& mzi : mesh.mzis) {
    int &upper = passed[static_cast<std::size_t>(mzi.mode)], &lower = passed[static_cast<std::size_t>(mzi.lower())];
    idle.before.emplace_back(mzi.column - upper, mzi.column - lower);
    upper = lower = mzi.column + 1;
  }
  const int columns = depth(mesh);
  for (const int column : passed) idle.behind.push_back(columns - column);
  return idle;
}

// What fabrication made of one mesh: its MZIs, and the factors of the dummy couplers before and behind them.
struct MadeMesh {
  std::vector<MziFlaw> mzis;
  std::vector<std::pair<double, double>> before;
  std::vector<double> behind;
};

MadeMesh made(const Mesh& mesh, const Imperfections& flaws, Random& random) {
  Imperfections fixed;
  fixed.splitter_offset = flaws.splitter_offset;
  fixed.splitter_sigma = flaws.splitter_sigma;
  fixed.mzi_loss_db = flaws.mzi_loss_db;
  fixed.mzi_loss_sigma_db = flaws.mzi_loss_sigma_db;
  const auto dummy = [&](int couplers) {
    if (couplers == 0) return 1.0;
    return kept(
        std::max(0.0, couplers * flaws.mzi_loss_db + std::sqrt(couplers) * flaws.mzi_loss_sigma_db * random.normal()));
  };
  MadeMesh made{fabricate(mesh, fixed, random).mzis, {}, {}};
  const Idle idle = idle_columns(mesh);
  for (const auto& [upper, lower] : idle.before) {
    const double above = dummy(upper);
    made.before.emplace_back(above, dummy(lower));
  }
  for (const int columns : idle.behind) made.behind.push_back(dummy(columns));
  return made;
}

RealisedMesh lit(const Mesh& mesh, const MadeMesh& made, std::span<const double> phases) {
  RealisedMesh realised = realise(mesh, phases, made.mzis);
  for (std::size_t k = 0; k < realised.transfers.size(); ++k) {
    Transfer& t = realised.transfers[k];
    const auto [above, below] = made.before[k];
    t = {t.t00 * above, t.t01 * below, t.t10 * above, t.t11 * below};
  }
  for (std::size_t mode = 0; mode < realised.output.size(); ++mode) realised.output[mode] *= made.behind[mode];
  return realised;
}

int columns(const MeshBlock& block) {
  int gathered = 0;
  for (const Gather& gather : block.gathers) gathered = std::max(gathered, depth(gather.mesh));
  return gathered + depth(block.in) + depth(block.out);
}

// The gain and offset that bring what was seen of a unit to what was wanted, by least squares.
struct Trim {
  double gain = 1, offset = 0;
};

Trim trimmed(const Eigen::ArrayXd& seen, const Eigen::ArrayXd& wanted) {
  const double s = seen.mean(), w = wanted.mean(), spread = (seen - s).square().sum();
  // One value alone, or none that moves, says nothing of a gain
  const double turned = (wanted - w).square().sum();
  const double gain = spread > 0 && turned > 1e-12 ? ((seen - s) * (wanted - w)).sum() / spread : 1;
  return {gain, w - gain * s};
}

Trim trim(const Layer& layer, int unit, const Eigen::ArrayXd& seen, const Eigen::ArrayXd& wanted) {
  if (layer.activation.kind != ActivationKind::kSaturating || layer.is_linear(unit)) return trimmed(seen, wanted);
  const double middle = (layer.activation.low + layer.activation.high) / 2;
  const Eigen::ArrayXd away = (wanted - middle).abs();
  const double most = std::max(kNearest * away.minCoeff() + 1e-9, (layer.activation.high - layer.activation.low) / 2);
  std::vector<Eigen::Index> near;
  bool above = false, below = false;
  for (Eigen::Index p = 0; p < away.size(); ++p) {
    if (away[p] > most) continue;
    near.push_back(p);
    (wanted[p] > middle ? above : below) = true;
  }
  if (!above || !below) return trimmed(seen, wanted);
  return trimmed(seen(near), wanted(near));
}

// Columns that a lit waveguide of a mesh passes by.
long dummies(const Mesh& mesh) {
  const Idle idle = idle_columns(mesh);
  std::vector<bool> alight(static_cast<std::size_t>(mesh.modes), false);
  std::fill_n(alight.begin(), mesh.inputs, true);
  long count = 0;
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    const auto upper = static_cast<std::size_t>(mesh.mzis[k].mode),
               lower = static_cast<std::size_t>(mesh.mzis[k].lower());
    if (alight[upper]) count += idle.before[k].first;
    if (alight[lower]) count += idle.before[k].second;
    alight[upper] = alight[lower] = alight[upper] || alight[lower];
  }
  for (int mode = 0; mode < mesh.outputs; ++mode)
    if (alight[static_cast<std::size_t>(mode)]) count += idle.behind[static_cast<std::size_t>(mode)];
  return count;
}

}  // namespace

std::vector<std::string> chip_names() { return {"default"}; }

Chip chip_named(std::string_view name, std::string_view place) {
  if (name != "default") throw unknown_name("chip", name, chip_names(), std::string(place));
  Chip chip{.name = std::string(name), .flaws = {}, .noise = 0.06};
  chip.flaws.mzi_loss_db = 0.2;
  chip.flaws.mzi_loss_sigma_db = 0.02;
  chip.flaws.crosstalk = 0.01;
  chip.flaws.phase_bits = 10;
  chip.flaws.phase_sigma = 0.003;
  chip.flaws.splitter_sigma = 0.02;
  return chip;
}

Chip scaled(Chip chip, double factor) {
  Imperfections& flaws = chip.flaws;
  for (double* size : {&flaws.mzi_loss_db, &flaws.mzi_loss_sigma_db, &flaws.crosstalk, &flaws.phase_sigma,
                       &flaws.splitter_offset, &flaws.splitter_sigma, &chip.noise})
    *size *= factor;
  if (flaws.phase_bits > 0)
    flaws.phase_bits = std::max(1, flaws.phase_bits - static_cast<int>(std::lround(std::log2(factor))));
  return chip;
}

long dummies(const CompiledOnn& compiled) {
  long count = 0;
  for (const CompiledLayer& layer : compiled.layers)
    for (const MeshBlock& block : layer.blocks) {
      const int gathered = columns(block) - depth(block.in) - depth(block.out);
      for (const Gather& gather : block.gathers) count += dummies(gather.mesh) + gathered - depth(gather.mesh);
      count += dummies(block.in) + dummies(block.out);
    }
  return count;
}

double largest_gain_db(const CompiledOnn& compiled, double mzi_loss_db) {
  double largest = 0, swing = 1;  // of what enters, in symbols
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    for (const MeshBlock& block : compiled.layers[i].blocks)
      largest = std::max(
          largest, 20 * std::log10(block.amplitudes.cwiseAbs().maxCoeff() * swing) + columns(block) * mzi_loss_db);
    const Activation& activation = compiled.onn.layers[i].activation;
    swing = activation.kind == ActivationKind::kSaturating ? activation.high - activation.low : 1;
  }
  return largest;
}

ChipMaker::ChipMaker(const CompiledOnn& compiled, const Chip& chip) : compiled_(compiled), chip_(chip) {
  check(chip.flaws);
  // Points of calibration, and what the perfect network makes of them.
  const Onn& onn = compiled.onn;
  const Grid grid(onn.task);
  Random random(kCalibrationSeed);
  std::vector<int> point(static_cast<std::size_t>(onn.task.lights()));
  Matrix sums(onn.task.lights(), kCalibration);
  for (Eigen::Index p = 0; p < sums.cols(); ++p) {
    grid.random_point(random, point);
    for (Eigen::Index k = 0; k < sums.rows(); ++k) sums(k, p) = point[static_cast<std::size_t>(k)];
  }
  OnnForward forward(onn);
  forward.run(sums);

  // Where the meshes of each layer stand: blocks below each other, what a block passes one after the other.
  for (std::size_t i = 0; i < compiled.layers.size(); ++i) {
    std::vector<Placed> meshes;
    std::vector<double> phases;
    std::vector<HeaterPlace> places;
    int mode = 0;
    const auto place = [&](const Mesh& mesh, int column, int below) {
      meshes.push_back({&mesh, phases.size()});
      const std::vector<HeaterPlace> own = heater_places(mesh, column, mode + below);
      const std::vector<double> wanted = heater_phases(mesh);
      places.insert(places.end(), own.begin(), own.end());
      phases.insert(phases.end(), wanted.begin(), wanted.end());
    };
    for (const MeshBlock& block : compiled.layers[i].blocks) {
      int column = 0, below = 0;
      for (const Gather& gather : block.gathers) {
        if (gather.mesh.modes > 0) place(gather.mesh, 0, below);
        if (gather.mesh.modes > 0) column = std::max(column, depth(gather.mesh) + 1);
        below += static_cast<int>(gather.wires.size());
      }
      place(block.in, column, 0);
      if (block.out.modes > 0) place(block.out, column + depth(block.in) + 1, 0);
      mode += std::max({below, block.in.modes, block.out.modes});
    }
    plans_.push_back({std::move(meshes), std::move(phases), HeatSpread(places),
                      i == 0 ? forward.entered() : forward.after_activation(i - 1), forward.before_activation(i)});
  }
}

Onn ChipMaker::make(Random& random) const {
  Onn onn = compiled_.onn;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const LayerPlan& plan = plans_[i];
    const CompiledLayer& layer = compiled_.layers[i];
    const Layer& drawn = compiled_.onn.layers[i];

    // Made, and its phases set.
    std::map<const Mesh*, std::pair<std::size_t, MadeMesh>> meshes;
    for (const Placed& placed : plan.meshes)
      meshes.emplace(placed.mesh, std::pair(placed.first, made(*placed.mesh, chip_.flaws, random)));
    const std::vector<double> left = calibrated_phases(plan.heat, plan.phases, chip_.flaws.crosstalk,
                                                       chip_.flaws.phase_bits, chip_.calibrated ? kRounds : 0, random);

    // What all of it multiplies by at some moment, with errors of the phases that are drawn for it. Loss as drawn is made up: where wires
    // of a block pass fewer columns than others before they are added, dummies (without scatter of their own) stand there too.
    const auto measured = [&] {
      std::vector<double> phases = plan.phases;
      for (std::size_t k = 0; k < phases.size(); ++k) phases[k] += left[k] + chip_.flaws.phase_sigma * random.normal();
      const Built built = [&](const Mesh& mesh) {
        const auto& [first, own] = meshes.at(&mesh);
        const std::size_t count = 2 * mesh.mzis.size() + static_cast<std::size_t>(mesh.modes);
        return Eigen::MatrixXcd(matrix(lit(mesh, own, std::span(phases).subspan(first, count))) /
                                kept(depth(mesh) * chip_.flaws.mzi_loss_db));
      };
      Eigen::MatrixXd got = Eigen::MatrixXd::Zero(drawn.units(), drawn.entering() + 1);
      for (const auto& [unit, wire] : layer.waveguides) got(unit, wire) = 1;
      for (const MeshBlock& block : layer.blocks) got(block.units, block.wires) = matrix(block, built).real();
      return got;
    };

    // Gains and thresholds, at one moment; use, at another.
    Eigen::MatrixXd then = measured();
    std::vector<Trim> trims(static_cast<std::size_t>(drawn.units()));
    if (chip_.calibrated) {
      const Matrix seen = then.leftCols(drawn.entering()) * plan.entering;
      for (int unit = 0; unit < drawn.units(); ++unit)
        trims[static_cast<std::size_t>(unit)] =
            trim(drawn, unit, seen.row(unit).array() + then(unit, drawn.entering()), plan.before.row(unit).array());
    } else if (layer.bias_outside) {
      for (int unit = 0; unit < drawn.units(); ++unit) trims[static_cast<std::size_t>(unit)].offset = drawn.bias[unit];
    }
    const Eigen::MatrixXd now = measured();
    Layer& used = onn.layers[i];
    for (int unit = 0; unit < drawn.units(); ++unit) {
      const Trim& own = trims[static_cast<std::size_t>(unit)];
      used.weights.row(unit) = own.gain * now.row(unit).head(drawn.entering());
      used.bias[unit] = own.gain * now(unit, drawn.entering()) + own.offset;
    }
  }
  return onn;
}

}  // namespace helio::photonics
