// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "photonics/mesh_realised.h"

namespace helio::photonics {
namespace {

// As in mesh_realised.cpp, for amplitudes of half the size.
constexpr Eigen::Index kBlockBytes = 128 * 1024;

bool is_sign(double phase) { return phase == 0 || std::abs(phase) == std::numbers::pi; }
double sign_of(double phase) { return phase == 0 ? 1 : -1; }

struct RealTransfer {
  double t00, t01, t10, t11;
};

void pass_mzi(const RealTransfer& t, double* __restrict upper, double* __restrict lower, Eigen::Index points) {
  for (Eigen::Index p = 0; p < points; ++p) {
    const double a = upper[p], b = lower[p];
    upper[p] = t.t00 * a + t.t01 * b;
    lower[p] = t.t10 * a + t.t11 * b;
  }
}

// By counting, in linear time; equals keep their order. Requires: all keys in 0 … keys - 1.
void sort_by(std::vector<Mzi>& mzis, int keys, int Mzi::*key) {
  std::vector<std::size_t> first(keys + 1, 0);
  for (const Mzi& mzi : mzis) ++first[mzi.*key + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<Mzi> sorted(mzis.size());
  for (const Mzi& mzi : mzis) sorted[first[mzi.*key]++] = mzi;
  mzis = std::move(sorted);
}

}  // namespace

int depth(const Mesh& mesh) {
  int columns = 0;
  for (const Mzi& mzi : mesh.mzis) columns = std::max(columns, mzi.column + 1);
  return columns;
}

bool is_real(const Mesh& mesh) {
  return std::ranges::all_of(mesh.mzis, [](const Mzi& mzi) { return is_sign(mzi.phi); }) &&
         std::ranges::all_of(mesh.output_phases, is_sign);
}

ComplexBatch propagate(const Mesh& mesh, const ComplexBatch& in) { return propagate(ideal(mesh), in); }

Batch propagate(const Mesh& mesh, const Batch& in) {
  assert(in.rows() == mesh.inputs && "a batch has one row for each lit input");
  assert(is_real(mesh) && "only a real mesh keeps real amplitudes real");
  const Eigen::Index points = in.cols();
  Batch out(mesh.outputs, points);
  if (mesh.modes == 0) return out;
  const Eigen::Index per_point = mesh.modes * static_cast<Eigen::Index>(sizeof(double));
  const Eigen::Index block = std::clamp<Eigen::Index>(kBlockBytes / per_point, 16, 512);
  Batch light(mesh.modes, block);
  std::vector<RealTransfer> transfers;
  transfers.reserve(mesh.mzis.size());
  for (const Mzi& mzi : mesh.mzis) {
    const Transfer t = transfer(mzi.theta, mzi.phi);
    transfers.push_back({t.t00.real(), t.t01.real(), t.t10.real(), t.t11.real()});
  }

  for (Eigen::Index first = 0; first < points; first += block) {
    const Eigen::Index count = std::min(block, points - first);
    light.bottomRows(mesh.modes - mesh.inputs).setZero();
    light.topLeftCorner(mesh.inputs, count) = in.middleCols(first, count);
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      double* upper = light.data() + mesh.mzis[k].mode * block;
      pass_mzi(transfers[k], upper, upper + block, count);
    }
    for (int mode = 0; mode < mesh.outputs; ++mode)
      out.row(mode).segment(first, count) = sign_of(mesh.output_phases[mode]) * light.row(mode).head(count);
  }
  return out;
}

Eigen::MatrixXcd matrix(const Mesh& mesh) { return matrix(ideal(mesh)); }

Eigen::MatrixXd real_matrix(const Mesh& mesh) {
  return propagate(mesh, Batch(Batch::Identity(mesh.inputs, mesh.inputs)));
}

// U* = T_first* … T_last* diag(e^-iω): the phases are pushed through one adjoint MZI after the other.
Mesh adjoint(const Mesh& mesh) {
  Mesh back{mesh.modes, mesh.outputs, mesh.inputs, mesh.layout, {}, {}};
  std::vector<Complex> pending;
  for (const double phase : mesh.output_phases) pending.push_back(std::conj(phasor(phase)));
  back.mzis.reserve(mesh.mzis.size());
  for (std::size_t k = mesh.mzis.size(); k-- > 0;) {
    const Mzi& mzi = mesh.mzis[k];
    const double phi = turn_round(phasor(mzi.phi), pending[mzi.mode], pending[mzi.mode + 1]);
    back.mzis.push_back({mzi.mode, 0, mzi.theta, phi});
  }
  for (const Complex phase : pending) back.output_phases.push_back(std::arg(phase));
  settle_columns(back);
  return back;
}

void settle_columns(Mesh& mesh) {
  std::vector<int> next(mesh.modes, 0);  // the first column in which a mode is free
  int columns = 0;
  for (Mzi& mzi : mesh.mzis) {
    mzi.column = std::max(next[mzi.mode], next[mzi.mode + 1]);
    next[mzi.mode] = next[mzi.mode + 1] = mzi.column + 1;
    columns = std::max(columns, mzi.column + 1);
  }
  sort_by(mesh.mzis, mesh.modes, &Mzi::mode);
  sort_by(mesh.mzis, columns, &Mzi::column);
}

}  // namespace helio::photonics
