// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_rare_noise.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio::photonics {
namespace {

constexpr double kRare = 4;                               // σ
const double kShare = std::erfc(kRare / std::sqrt(2.0));  // of draws beyond, either way
const double kLogOthers = std::log1p(-kShare);

bool limits(const Layer& layer, int unit) {
  return layer.activation.kind == ActivationKind::kSaturating && layer.activation.leak == 0 && !layer.is_linear(unit);
}

double positive(Random& random) { return 1 - random.uniform(); }

// A normal deviate beyond kRare, of either sign (Marsaglia 1964).
double rare_normal(Random& random) {
  for (;;) {
    const double x = -std::log(positive(random)) / kRare, y = -std::log(positive(random));
    if (2 * y >= x * x) return random.next() & 1 ? kRare + x : -kRare - x;
  }
}

}  // namespace

bool RareNoise::serves(const Onn& onn) {
  for (std::size_t i = 0; i + 1 < onn.layers.size(); ++i)
    for (int unit = 0; unit < onn.layers[i].units(); ++unit)
      if (!limits(onn.layers[i], unit)) return false;
  return true;
}

const Matrix& RareNoise::clean(const Matrix& sums) {
  const Matrix& out = forward_.run(sums);
  for (std::size_t i = 0; i < onn_.layers.size(); ++i) {
    const Layer& layer = onn_.layers[i];
    const double middle = (layer.activation.low + layer.activation.high) / 2;
    const double safe = (layer.activation.high - layer.activation.low) / 2 + kRare * sigma_;
    near_[i].clear();
    for (int unit = 0; unit < layer.units(); ++unit) {
      if (!limits(layer, unit)) {
        for (Eigen::Index p = 0; p < sums.cols(); ++p) near_[i].emplace_back(unit, p);
        continue;
      }
      const auto away = (forward_.before_activation(i).row(unit).array() - middle).abs();
      const double least = away.minCoeff();
      nearest_[i] = std::min(nearest_[i].value_or(least), least);
      if (least > safe) continue;
      for (Eigen::Index p = 0; p < sums.cols(); ++p)
        if (away[p] <= safe) near_[i].emplace_back(unit, p);
    }
  }
  return out;
}

std::vector<RareNoise::Change> RareNoise::changes(std::size_t index, Random& random) const {
  const Layer& layer = onn_.layers[index];
  const Matrix &before = forward_.before_activation(index), &after = forward_.after_activation(index);
  std::vector<Change> changes;
  const auto meet = [&](Eigen::Index unit, Eigen::Index point, double noise) {
    const double seen = before(unit, point) + sigma_ * noise;
    const double answer = layer.is_linear(static_cast<int>(unit)) ? seen : layer.activation(seen);
    if (answer != after(unit, point)) changes.push_back({unit, point, answer});
  };

  // Those that take any noise.
  for (const auto& [unit, point] : near_[index]) meet(unit, point, random.normal());

  // Those that take rare noise only, which the others have had.
  const Eigen::Index all = before.size(), points = before.cols();
  for (double at = std::floor(std::log(positive(random)) / kLogOthers); at < static_cast<double>(all);
       at += 1 + std::floor(std::log(positive(random)) / kLogOthers)) {
    const auto element = static_cast<Eigen::Index>(at);
    const std::pair<Eigen::Index, Eigen::Index> place{element / points, element % points};
    if (!std::ranges::binary_search(near_[index], place)) meet(place.first, place.second, rare_normal(random));
  }
  return changes;
}

void RareNoise::with_noise(Matrix& fields, Random& random) const {
  for (double& field : fields.reshaped()) field += sigma_ * random.normal();
}

const Matrix& RareNoise::draw(Random& random) {
  const std::size_t layers = onn_.layers.size();
  std::size_t i = 0;
  for (; i < layers; ++i) {
    const std::vector<Change> changed = changes(i, random);
    if (changed.empty()) continue;
    after_ = forward_.after_activation(i);
    for (const Change& change : changed) after_(change.unit, change.point) = change.value;
    break;
  }
  if (i == layers) after_ = forward_.after_activation(layers - 1);
  for (++i; i < layers; ++i) {
    forward_.linear_stage(i, after_, before_);
    with_noise(before_, random);
    forward_.activate(i, before_, after_);
  }
  return after_;
}

}  // namespace helio::photonics
