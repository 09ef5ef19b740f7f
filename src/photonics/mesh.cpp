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

bool is_sign(double phase) { return phase == 0 || std::abs(phase) == std::numbers::pi; }

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

Eigen::MatrixXcd matrix(const Mesh& mesh) { return matrix(ideal(mesh)); }

// U* = T_first* … T_last* diag(e^-iω): the phases are pushed through one adjoint MZI after the other.
Mesh adjoint(const Mesh& mesh) {
  Mesh back{mesh.modes, mesh.outputs, mesh.inputs, mesh.layout, {}, {}};
  std::vector<Complex> pending;
  for (const double phase : mesh.output_phases) pending.push_back(std::conj(phasor(phase)));
  back.mzis.reserve(mesh.mzis.size());
  for (std::size_t k = mesh.mzis.size(); k-- > 0;) {
    const Mzi& mzi = mesh.mzis[k];
    const double phi = turn_round(phasor(mzi.phi), pending[mzi.mode], pending[mzi.lower()]);
    back.mzis.push_back({mzi.mode, 0, mzi.theta, phi, mzi.span});
  }
  for (const Complex phase : pending) back.output_phases.push_back(std::arg(phase));
  settle_columns(back);
  return back;
}

void settle_columns(Mesh& mesh) {
  std::vector<int> next(mesh.modes, 0);  // the first column in which a mode is free
  int columns = 0;
  for (Mzi& mzi : mesh.mzis) {
    mzi.column = std::max(next[mzi.mode], next[mzi.lower()]);
    next[mzi.mode] = next[mzi.lower()] = mzi.column + 1;
    columns = std::max(columns, mzi.column + 1);
  }
  sort_by(mesh.mzis, mesh.modes, &Mzi::mode);
  sort_by(mesh.mzis, columns, &Mzi::column);
}

}  // namespace helio::photonics
