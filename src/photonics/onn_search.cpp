// SPDX-License-Identifier: Apache-2.0
#include "photonics/onn_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/budget.h"
#include "base/error.h"
#include "photonics/averaging_grid.h"

namespace helio::photonics {
namespace {

// All ways to write `total` as a sum of parts of at most `largest`, in order.
std::vector<std::vector<int>> partitions(int total, int largest) {
  if (total == 0) return {{}};
  std::vector<std::vector<int>> all;
  for (int part = 1; part <= std::min(total, largest); ++part)
    for (std::vector<int>& rest : partitions(total - part, largest)) {
      rest.insert(rest.begin(), part);
      all.push_back(std::move(rest));
    }
  return all;
}

Layer with_units(const Layer& layer, const std::vector<int>& units) {
  Layer kept = layer;
  kept.weights = Matrix(layer.weights(units, Eigen::all));
  kept.bias = Vector(layer.bias(units));
  kept.linear.clear();
  for (const int unit : units)
    if (!layer.linear.empty()) kept.linear.push_back(layer.is_linear(unit));
  return kept;
}

}  // namespace

Onn pruned(const Onn& onn) {
  Onn kept = onn;
  for (std::size_t i = kept.layers.size() - 1; i-- > 0;) {
    std::vector<int> units;
    for (int unit = 0; unit < kept.layers[i].units(); ++unit)
      if ((kept.layers[i + 1].weights.col(unit).array() != 0).any()) units.push_back(unit);
    if (units.empty()) units.push_back(0);  // a layer keeps a wire, dark as it may be
    kept.layers[i + 1].weights = Matrix(kept.layers[i + 1].weights(Eigen::all, units));
    kept.layers[i] = with_units(kept.layers[i], units);
  }
  return kept;
}

std::vector<Candidate> search(const AveragingTask& task, const SearchOptions& options) {
  std::vector<Candidate> found;
  constexpr std::int64_t kSteps = 100'000;  // of the budget, to construct and to compile a member
  const auto add = [&](const Construction& how) {
    Budget::spend(kSteps);
    Candidate candidate;
    try {
      candidate.onn = pruned(construct(task, how));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInfeasible) throw;
      return;  // the family does not admit this task here
    }
    candidate.how = how;
    EvaluationOptions evaluation;
    if (Grid(task).size() > options.most_points) {
      evaluation.sampling = Sampling::kGrid;
      evaluation.points = options.points;
    }
    candidate.verified = evaluate(candidate.onn, evaluation);
    if (candidate.verified.wrong > 0)
      throw std::logic_error(describe(how) + " is not exact: " + candidate.verified.first_wrong);
    candidate.cost = cost(compile(candidate.onn, Compilation::kCompact));
    found.push_back(std::move(candidate));
  };

  for (const Direction direction : {Direction::kLsb, Direction::kMsb})
    for (const ActivationKind activation : options.activations)
      for (const Split split : {Split::kNone, Split::kSums, Split::kTwice})
        for (const std::vector<int>& groups :
             partitions(direction == Direction::kLsb ? task.inputs() : task.outputs(), options.largest_group))
          add({direction, activation, options.slope, groups, split, false, false});
  std::ranges::stable_sort(
      found, {}, [](const Candidate& c) { return std::tuple(c.cost.mzis, c.cost.depth, c.cost.linear_stages); });
  return found;
}

std::vector<Candidate> pareto(std::vector<Candidate> candidates) {
  std::ranges::stable_sort(candidates, {}, [](const Candidate& c) { return std::tuple(c.cost.mzis, c.cost.depth); });
  std::vector<Candidate> front;
  for (Candidate& candidate : candidates)
    if (front.empty() || candidate.cost.depth < front.back().cost.depth) front.push_back(std::move(candidate));
  return front;
}

Tolerance tolerance(const Onn& onn, int draws, bool on_inputs, std::uint64_t seed, double resolution) {
  Tolerance result;
  double good = 0, bad = 1;
  while (bad - good > resolution) {
    const double sigma = (good + bad) / 2;
    EvaluationOptions options;
    options.noise = {sigma, on_inputs ? sigma : 0, true};
    options.draws = draws;
    options.seed = seed;
    const Evaluation evaluation = evaluate(onn, options);
    result.points = evaluation.points;
    (evaluation.wrong == 0 ? good : bad) = sigma;
  }
  result.sigma = good;
  return result;
}

}  // namespace helio::photonics
