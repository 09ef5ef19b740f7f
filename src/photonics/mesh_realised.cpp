// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_realised.h"

#include <algorithm>
#include <cassert>

#include "photonics/mesh_wave.h"

namespace helio::photonics {
namespace {

// Points that walk together: all modes of them take no more than this, half of a small second-level cache.
constexpr Eigen::Index kBlockBytes = 128 * 1024;

void pass_mzi(const Transfer& transfer, Wave* __restrict upper, Wave* __restrict lower, Eigen::Index points) {
  const Factor t00(transfer.t00), t01(transfer.t01), t10(transfer.t10), t11(transfer.t11);
  for (Eigen::Index p = 0; p < points; ++p) {
    const Wave a = upper[p], b = lower[p];
    upper[p] = t00 * a + t01 * b;
    lower[p] = t10 * a + t11 * b;
  }
}

}  // namespace

RealisedMesh ideal(const Mesh& mesh) {
  RealisedMesh realised{mesh.modes, mesh.inputs, mesh.outputs, {}, {}, {}};
  realised.mzi_modes.reserve(mesh.mzis.size());
  realised.transfers.reserve(mesh.mzis.size());
  for (const Mzi& mzi : mesh.mzis) {
    realised.mzi_modes.push_back(mzi.mode);
    realised.mzi_spans.push_back(mzi.span);
    realised.transfers.push_back(transfer(mzi.theta, mzi.phi));
  }
  for (const double phase : mesh.output_phases) realised.output.push_back(phasor(phase));
  return realised;
}

ComplexBatch propagate(const RealisedMesh& mesh, const ComplexBatch& in) {
  assert(in.rows() == mesh.inputs && "a batch has one row for each lit input");
  const Eigen::Index points = in.cols();
  ComplexBatch out(mesh.outputs, points);
  if (mesh.modes == 0) return out;
  const Eigen::Index per_point = mesh.modes * static_cast<Eigen::Index>(sizeof(Complex));
  const Eigen::Index block = std::clamp<Eigen::Index>(kBlockBytes / per_point, 8, 256);
  ComplexBatch light(mesh.modes, block);

  for (Eigen::Index first = 0; first < points; first += block) {
    // Light enters; the other modes are dark.
    const Eigen::Index count = std::min(block, points - first);
    light.bottomRows(mesh.modes - mesh.inputs).setZero();
    light.topLeftCorner(mesh.inputs, count) = in.middleCols(first, count);

    // It passes the MZIs, column by column.
    for (std::size_t k = 0; k < mesh.transfers.size(); ++k) {
      Wave* upper = waves(light.data() + mesh.mzi_modes[k] * block);
      const Eigen::Index span = mesh.mzi_spans.empty() ? 1 : mesh.mzi_spans[k];
      pass_mzi(mesh.transfers[k], upper, upper + span * block, count);
    }

    // It leaves by the outputs that are read.
    for (int mode = 0; mode < mesh.outputs; ++mode) {
      const Factor factor(mesh.output[mode]);
      const Wave* from = waves(light.data() + mode * block);
      Wave* to = waves(out.data() + mode * points + first);
      for (Eigen::Index p = 0; p < count; ++p) to[p] = factor * from[p];
    }
  }
  return out;
}

Eigen::MatrixXcd matrix(const RealisedMesh& mesh) {
  return propagate(mesh, ComplexBatch::Identity(mesh.inputs, mesh.inputs));
}

}  // namespace helio::photonics
