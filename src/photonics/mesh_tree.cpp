// SPDX-License-Identifier: Apache-2.0
#include "photonics/mesh_tree.h"

#include <cassert>
#include <cmath>
#include <vector>

namespace helio::photonics {
namespace {

// The node of modes first … first + count − 1, which meets its halves at their first modes; leaves nearest the light's end come first.
// Returns the size of its weights; a single one keeps its sign.
double add_node(const Eigen::VectorXd& weights, int first, int count, bool sums, std::vector<Mzi>& mzis) {
  if (count == 1) return weights[first];
  const int upper = (count + 1) / 2;
  const double above = add_node(weights, first, upper, sums, mzis);
  const double below = add_node(weights, first + upper, count - upper, sums, mzis);
  // A sum leaves by the upper row of an MZI (cos θ, −sin θ), copies come from its left column (cos θ, sin θ).
  mzis.push_back({first, 0, std::atan2(sums ? -below : below, above), 0, upper});
  return std::hypot(above, below);
}

Mesh tree(const Eigen::VectorXd& weights, bool sums) {
  assert(weights.size() > 0 && (weights.array() != 0).all() && "a tree has leaves, and each of them counts");
  const int n = static_cast<int>(weights.size());
  Mesh mesh{
      n, sums ? n : 1, sums ? 1 : n, Layout::kRectangular, {}, std::vector<double>(static_cast<std::size_t>(n), 0)};
  add_node(weights, 0, n, sums, mesh.mzis);
  if (n == 1 && weights[0] < 0) mesh.output_phases[0] = std::acos(-1.0);
  if (!sums) mesh.mzis = {mesh.mzis.rbegin(), mesh.mzis.rend()};
  settle_columns(mesh);
  return mesh;
}

}  // namespace

Mesh sum_tree(const Eigen::VectorXd& weights) { return tree(weights, true); }
Mesh copy_tree(const Eigen::VectorXd& weights) { return tree(weights, false); }

}  // namespace helio::photonics
