// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/budget.h"
#include "base/error.h"
#include "photonics/averaging_grid.h"
#include "photonics/onn_rare_noise.h"

namespace helio::photonics {
namespace {

constexpr Eigen::Index kBlock = 512;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Points in the order of their sampling, block by block, with what the network should make of them.
class Points {
 public:
  Points(const AveragingTask& task, const EvaluationOptions& options)
      : task_(task), grid_(task), sampling_(options.sampling), random_(Random(options.seed).split(0)) {
    left_ = sampling_ == Sampling::kAll ? static_cast<std::uint64_t>(grid_.size()) : options.points;
    point_.assign(static_cast<std::size_t>(task.lights()), 0);
  }
  const Grid& grid() const { return grid_; }

  bool next(Matrix& sums, std::vector<std::int64_t>& targets, std::vector<double>& probabilities) {
    const Eigen::Index count = static_cast<Eigen::Index>(std::min<std::uint64_t>(left_, kBlock));
    left_ -= static_cast<std::uint64_t>(count);
    sums.resize(task_.lights(), count);
    targets.resize(static_cast<std::size_t>(count));
    probabilities.resize(sampling_ == Sampling::kAll && !grid_.sum_probability().empty() ? targets.size() : 0);
    for (Eigen::Index p = 0; p < count; ++p) {
      if (sampling_ == Sampling::kGrid) grid_.random_point(random_, point_);
      if (sampling_ == Sampling::kCodes) grid_.random_codes_point(random_, point_);
      for (Eigen::Index k = 0; k < sums.rows(); ++k) sums(k, p) = point_[static_cast<std::size_t>(k)];
      targets[static_cast<std::size_t>(p)] = task_.target(point_);
      if (!probabilities.empty()) probabilities[static_cast<std::size_t>(p)] = grid_.probability(point_);
      if (sampling_ == Sampling::kAll) grid_.advance(point_);
    }
    return count > 0;
  }

 private:
  const AveragingTask& task_;
  Grid grid_;
  Sampling sampling_;
  Random random_;
  std::uint64_t left_ = 0;
  std::vector<int> point_;
};

// How far the outputs are from a wrong decision, in symbols: below a symbol's own interval, or above it.
double margin_of(const Onn& onn, const Matrix& fields, const std::vector<std::int64_t>& targets) {
  const std::int64_t top = onn.task.radix() - 1;
  double margin = kInfinity;
  for (Eigen::Index k = 0; k < fields.rows(); ++k)
    for (Eigen::Index p = 0; p < fields.cols(); ++p) {
      const std::int64_t symbol =
          (targets[static_cast<std::size_t>(p)] >> (onn.task.symbol_bits * static_cast<int>(k))) & top;
      const double off = in_symbols(onn, fields(k, p)) - static_cast<double>(symbol);
      if (symbol > 0) margin = std::min(margin, 0.5 + off);
      if (symbol < top) margin = std::min(margin, 0.5 - off);
    }
  return margin;
}

void lower_step_margins(const Onn& onn, const OnnForward& forward, std::vector<std::optional<double>>& margins) {
  for (std::size_t i = 0; i < onn.layers.size(); ++i) {
    const Layer& layer = onn.layers[i];
    if (layer.activation.kind != ActivationKind::kSaturating) continue;
    const double middle = (layer.activation.low + layer.activation.high) / 2;
    for (int unit = 0; unit < layer.units(); ++unit) {
      if (layer.is_linear(unit)) continue;
      const double near = (forward.before_activation(i).row(unit).array() - middle).abs().minCoeff();
      margins[i] = std::min(margins[i].value_or(kInfinity), near);
    }
  }
}

void check(const EvaluationOptions& options, double grid) {
  const auto wrong = [](std::string what) { return Error(ErrorKind::kInput, std::move(what)); };
  if (options.sampling != Sampling::kAll && options.points == 0) throw wrong("an evaluation of 0 points");
  if (options.draws < 1) throw wrong(fmt::format("{} draws of the noise", options.draws));
  if (!std::isfinite(options.noise.sigma) || options.noise.sigma < 0 || !std::isfinite(options.noise.input_sigma) ||
      options.noise.input_sigma < 0)
    throw wrong("noise is at least 0 and finite");
  if (options.sampling == Sampling::kAll && grid > kMostPoints)
    throw Error(ErrorKind::kInfeasible, fmt::format("the grid has {:.3g} points", grid), {}, "evaluate random points");
}

}  // namespace

Evaluation evaluate(const Onn& onn, const EvaluationOptions& options) {
  onn.check();
  Points points(onn.task, options);
  check(options, points.grid().size());
  const bool noisy = options.noise.sigma > 0 || options.noise.input_sigma > 0;
  Random noise = Random(options.seed).split(1);

  Evaluation result;
  result.grid = points.grid().size();
  result.output_margin = kInfinity;
  result.step_margin.resize(onn.layers.size());
  double absolute = 0, weighted = 0;
  bool has_weights = false;

  OnnForward forward(onn);
  std::optional<RareNoise> rare;
  if (options.noise.sigma > 0 && options.rare && options.noise.input_sigma == 0 && RareNoise::serves(onn))
    rare.emplace(onn, options.noise.sigma);
  Matrix sums;
  std::vector<std::int64_t> targets, found;
  std::vector<double> probabilities;
  while (points.next(sums, targets, probabilities)) {
    has_weights = has_weights || !probabilities.empty();
    if (rare) rare->clean(sums);
    for (int draw = 0; draw < options.draws; ++draw) {
      const Matrix& fields = rare    ? rare->draw(noise)
                             : noisy ? forward.run(sums, options.noise, noise)
                                     : forward.run(sums);
      found.resize(targets.size());
      decode(onn, fields, found);
      result.output_margin = std::min(result.output_margin, margin_of(onn, fields, targets));
      if (!rare) lower_step_margins(onn, forward, result.step_margin);
      result.points += targets.size();
      Budget::spend(static_cast<std::int64_t>(16 * targets.size()));

      // Mistakes, one by one: they are few, or the network is of no use.
      for (std::size_t p = 0; p < targets.size(); ++p) {
        if (found[p] == targets[p]) continue;
        if (result.wrong++ == 0)
          result.first_wrong =
              fmt::format("sums {} give {} instead of {}",
                          fmt::join(sums.col(static_cast<Eigen::Index>(p)).eval(), " "), found[p], targets[p]);
        ++result.histogram[found[p] - targets[p]];
        absolute += static_cast<double>(std::llabs(found[p] - targets[p]));
        if (!probabilities.empty()) weighted += probabilities[p];
      }
      if (!noisy) break;
    }
  }

  if (rare) result.step_margin = rare->nearest();
  const double total = static_cast<double>(result.points);
  result.histogram[0] = result.points - result.wrong;
  result.wrong_fraction = static_cast<double>(result.wrong) / total;
  result.mean_error = absolute / total;
  if (options.sampling == Sampling::kCodes) result.wrong_weighted = result.wrong_fraction;
  if (has_weights) result.wrong_weighted = weighted / (noisy ? options.draws : 1);
  return result;
}

double output_noise_bound(const AveragingTask& task, double sigma) {
  if (sigma <= 0) return 0;
  const double beyond = 0.5 * std::erfc(0.5 / (sigma * std::sqrt(2.0)));  // of one side
  const int top = task.radix() - 1;
  Grid grid(task);
  if (grid.size() > kMostPoints)
    throw Error(ErrorKind::kInfeasible, fmt::format("the grid has {:.3g} points", grid.size()), {},
                "fewer servers or bits");
  std::vector<int> point(static_cast<std::size_t>(task.lights()), 0);
  double right = 0;
  do {
    std::int64_t average = task.target(point);
    double all = 1;
    for (int k = 0; k < task.outputs(); ++k, average >>= task.symbol_bits) {
      const int symbol = static_cast<int>(average & top);
      all *= 1 - beyond * ((symbol > 0 ? 1 : 0) + (symbol < top ? 1 : 0));
    }
    right += all;
  } while (grid.advance(point));
  return 1 - right / grid.size();
}

}  // namespace helio::photonics
