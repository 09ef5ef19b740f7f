// SPDX-License-Identifier: Apache-2.0
#include "photonics/self_configure.h"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

namespace helio::photonics {
namespace {

// The chip with what is known of it: splitters and losses, no phase errors.
Flaws known_part(const Flaws& flaws) {
  Flaws known;
  known.mzis = flaws.mzis;
  known.internal.resize(flaws.internal.size());
  known.external.resize(flaws.external.size());
  known.output.resize(flaws.output.size());
  return known;
}

MziFlaw without_loss(const MziFlaw& flaw) { return {flaw.first_splitter, flaw.second_splitter, 0}; }

// θ' at which the built bar amplitude is cos θ: cos²θ' cos²(α-β) + sin²θ' sin²(α+β) = cos²θ, or the nearest end.
double theta_for(double theta, const MziFlaw& flaw) {
  const Reach span = reach(flaw);
  const double above_least = std::pow(std::cos(theta), 2) - span.least * span.least;
  const double below_most =
      std::pow(std::sin(theta), 2) - std::pow(std::sin(flaw.first_splitter - flaw.second_splitter), 2);
  return std::atan2(std::sqrt(std::max(0.0, below_most)), std::sqrt(std::max(0.0, above_least)));
}

bool can_reach(double theta, const MziFlaw& flaw) {
  const double bar = std::abs(std::cos(theta)), rounding = 1e-12;
  const Reach span = reach(flaw);
  return bar >= span.least - rounding && bar <= span.most + rounding;
}

// MZI by MZI. The built core is M = [e^iu C, -e^iv S; e^-iv S, e^-iu C]; so that with phases x, y on its inputs,
//   M diag(e^i(φ' + x), e^iy) = diag(e^i(v + y), e^i(y - u)) T(θ, φ)      for   φ' = φ + v - u - x + y
Mesh correct_each(const Mesh& mesh, const Flaws& flaws) {
  Mesh corrected = mesh;
  std::vector<double> pending(mesh.modes, 0);
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    Mzi& mzi = corrected.mzis[k];
    const MziFlaw flaw = without_loss(flaws.mzis[k]);
    mzi.theta = theta_for(mzi.theta, flaw);
    const Transfer core = transfer(mzi.theta, 0, flaw);
    const double u = std::arg(core.t00), v = std::arg(-core.t01);
    double &upper = pending[mzi.mode], &lower = pending[mzi.mode + 1];
    mzi.phi = std::remainder(mzi.phi + v - u - upper + lower, 2 * std::numbers::pi);
    upper = v + lower;
    lower -= u;
  }
  for (int mode = 0; mode < mesh.modes; ++mode)
    corrected.output_phases[mode] = std::remainder(corrected.output_phases[mode] - pending[mode], 2 * std::numbers::pi);
  return corrected;
}

// Every phase in turn to where the overlap Re tr(Y* M) with the target Y is largest. With M = A T B around one MZI,
// tr(Y* M) = Σ T_ij G_ji for G = B Y* A, of which only a 2×2 block matters; walking on to the next MZI changes two
// rows and two columns of G.
void climb(Mesh& mesh, const Flaws& flaws, const Eigen::MatrixXcd& target) {
  // All modes count inside, whichever are lit or read.
  RealisedMesh built = realise(mesh, flaws);
  const int n = built.inputs = built.outputs = mesh.modes;
  Eigen::MatrixXcd goal = Eigen::MatrixXcd::Zero(n, n);
  goal.topLeftCorner(mesh.inputs, mesh.outputs) = target.adjoint();
  ComplexBatch g = goal * matrix(built);

  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) {
    // Take the MZI out.
    Mzi& mzi = mesh.mzis[k];
    const auto as_matrix = [](const Transfer& t) { return Eigen::Matrix2cd{{t.t00, t.t01}, {t.t10, t.t11}}; };
    auto columns = g.middleCols<2>(mzi.mode);
    columns = (columns * as_matrix(built.transfers[k]).inverse()).eval();
    const Eigen::Matrix2cd around = g.block<2, 2>(mzi.mode, mzi.mode);

    // Set φ: the terms of the overlap with e^iφ are those of the first column of T.
    const MziFlaw& flaw = flaws.mzis[k];
    const Transfer open = transfer(mzi.theta, 0, flaw);
    mzi.phi = -std::arg(open.t00 * around(0, 0) + open.t10 * around(0, 1));

    // Set θ: the overlap is Re(p e^iθ + q e^-iθ) = Re((p + q*) e^iθ), found from its values at 0 and π/2.
    const auto overlap = [&](double theta) {
      return (as_matrix(transfer(theta, mzi.phi, flaw)) * around).trace().real();
    };
    mzi.theta = std::atan2(overlap(std::numbers::pi / 2), overlap(0));

    // Put it back as set.
    built.transfers[k] = transfer(mzi.theta, mzi.phi, flaw);
    auto rows = g.middleRows<2>(mzi.mode);
    rows = (as_matrix(built.transfers[k]) * rows).eval();
  }
  for (int mode = 0; mode < n; ++mode) mesh.output_phases[mode] = -std::arg(g(mode, mode) / built.output[mode]);
}

}  // namespace

double distance(const Eigen::MatrixXcd& made, const Eigen::MatrixXcd& target) {
  const double power = made.squaredNorm();
  const double overlap = (target.conjugate().cwiseProduct(made)).sum().real();
  const double gain = power > 0 ? std::max(0.0, overlap / power) : 0;
  return (gain * made - target).norm() / target.norm();
}

SelfConfiguration self_configure(const Mesh& mesh, const Flaws& flaws, int most_sweeps) {
  const Flaws known = known_part(flaws);
  const Eigen::MatrixXcd target = matrix(mesh);
  const auto distance_of = [&](const Mesh& setting) { return distance(matrix(realise(setting, known)), target); };
  SelfConfiguration found{mesh, distance_of(mesh)};
  for (std::size_t k = 0; k < mesh.mzis.size(); ++k) found.unreachable += !can_reach(mesh.mzis[k].theta, known.mzis[k]);

  // MZI by MZI.
  found.after = found.before;
  const Mesh corrected = correct_each(mesh, known);
  found.corrected = distance_of(corrected);
  if (found.corrected < found.after) {
    found.mesh = corrected;
    found.after = found.corrected;
  }

  // All together, while it helps.
  constexpr double kWorthwhile = 0.999, kRounding = 1e-13;
  for (Mesh next = found.mesh; found.sweeps < most_sweeps && found.after > kRounding;) {
    climb(next, known, target);
    ++found.sweeps;
    const double now = distance_of(next), before = found.after;
    if (now < found.after) {
      found.mesh = next;
      found.after = now;
    }
    if (!(now < kWorthwhile * before)) break;
  }
  return found;
}

}  // namespace helio::photonics
