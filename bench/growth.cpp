// SPDX-License-Identifier: Apache-2.0
#include "growth.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fit.h"

namespace helio::bench {
namespace {

double linear(double n) { return n; }
double square(double n) { return n * n; }
double linear_log(double n) { return n * std::log2(n); }

}  // namespace

const std::vector<Growth>& growths() {
  static const std::vector<Growth> all = {
      // fabric, algorithm, first, last, law
      {"ring", "ring", 1u << 10, 1u << 18, "n", linear},
      {"full-mesh", "direct", 128, 1024, "n^2", square},
      {"switch", "halving-doubling", 1u << 8, 1u << 14, "n log n", linear_log},
      {"oddl", "halving-doubling", 1u << 6, 1u << 10, "n log n", linear_log},
  };
  return all;
}

std::vector<GrowthOutcome> measure_growth(const std::function<void(const GrowthOutcome&)>& each) {
  std::vector<GrowthOutcome> outcomes;
  for (const Growth& growth : growths()) {
    // Times of every piece at every size
    std::vector<GrowthOutcome> pieces;
    for (const Piece piece : kAllPieces) pieces.push_back({growth, piece});
    std::vector<double> work;
    for (std::uint32_t nodes = growth.first; nodes <= growth.last; nodes *= 2) {
      const Workbench workbench({.fabric = growth.fabric,
                                 .algorithm = growth.algorithm,
                                 .nodes = nodes,
                                 .method = schedule::VerifyMethod::kOneSlotPerOrbit});
      work.push_back(growth.work(nodes));
      for (GrowthOutcome& outcome : pieces) {
        outcome.nodes.push_back(nodes);
        outcome.seconds.push_back(workbench.seconds(outcome.piece));
      }
    }

    // Their slopes
    for (GrowthOutcome& outcome : pieces) {
      outcome.exponent = fitted_exponent(outcome.nodes, outcome.seconds);
      outcome.expected = fitted_exponent(outcome.nodes, work);
      each(outcome);
    }
    std::ranges::move(pieces, std::back_inserter(outcomes));
  }
  return outcomes;
}

}  // namespace helio::bench
