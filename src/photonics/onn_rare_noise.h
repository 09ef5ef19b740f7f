// SPDX-License-Identifier: Apache-2.0
// Noise after every linear stage of a network of limiters, drawn where it can matter: the same distribution as drawing it everywhere, at
// a fraction of the cost.
//
//   A limiter whose input stands m beyond its range answers the same for all noise below m. Of 16,000 draws one is beyond 4 σ: where
//   m > 4 σ only those are drawn, the gaps between them at once (they are geometric). Where no limiter of a layer answers otherwise than
//   without noise, the next layer need not be computed again. A layer in which one did, and all behind it, are drawn in full.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "photonics/onn.h"

namespace helio::photonics {

class RareNoise {
 public:
  // Whether all layers but the last are limiters throughout; else there is nothing to save.
  static bool serves(const Onn& onn);

  // Keeps references.
  RareNoise(const Onn& onn, double sigma)
      : onn_(onn), sigma_(sigma), forward_(onn), near_(onn.layers.size()), nearest_(onn.layers.size()) {}

  // The outputs without noise, for sums as OnnForward takes them.
  const Matrix& clean(const Matrix& sums);
  // The same points once more, with noise. Requires: clean() was called.
  const Matrix& draw(Random& random);

  // The smallest distance of a limiter's input from the middle of its range, layer by layer, over all points so far, without noise.
  const std::vector<std::optional<double>>& nearest() const { return nearest_; }

 private:
  struct Change {
    Eigen::Index unit, point;
    double value;
  };
  std::vector<Change> changes(std::size_t layer, Random& random) const;
  void with_noise(Matrix& fields, Random& random) const;

  const Onn& onn_;
  double sigma_;
  OnnForward forward_;
  std::vector<std::vector<std::pair<Eigen::Index, Eigen::Index>>> near_;  // by layer: (unit, point) that take any noise
  Matrix before_, after_;
  std::vector<std::optional<double>> nearest_;
};

}  // namespace helio::photonics
