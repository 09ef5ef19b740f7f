// SPDX-License-Identifier: Apache-2.0
// Cheaper and sturdier networks by construction: all members of a family, each verified on the whole grid, and the front of those that
// no other beats.
//
// The family: direction × partition of the symbols into stages × activation × linear stages of their own (onn_construct.h), pruned
// and compiled compactly (onn_compile.h). Costs are MZIs against depth.
//
// Depth has a floor of two linear stages: along s_1 the lowest symbol of an exact network goes 0 … R−1, 0, and no affine map does that
// within ±½; one layer of steps does (look-ahead over all positions).
//
// Units have a floor too. Along one input the field of an output rises and falls with its symbol; every turn is a bend, and a unit of
// a single layer of steps bends it once (relu) or twice (saturating). `fewest_units` is the most turns of any line of the grid along one
// input, over 1 or 2.
#pragma once

#include <string>
#include <vector>

#include "photonics/onn_construct.h"
#include "photonics/onn_cost.h"
#include "photonics/onn_evaluate.h"

namespace helio::photonics {

// Units that no later layer reads, left out. The outputs do not change.
Onn pruned(const Onn& onn);

struct Candidate {
  Construction how;
  Onn onn;
  OnnCost cost;         // compact
  Evaluation verified;  // on the grid, or on `points` random points where it is too large
};

struct SearchOptions {
  std::vector<ActivationKind> activations{ActivationKind::kSaturating, ActivationKind::kRelu};
  double slope = 2;
  int largest_group = 4;             // positions or symbols of one stage
  double most_points = 1e7;          // grids beyond are sampled
  std::uint64_t points = 1'000'000;  // random points then
};

// Every exact member of the family that admits the task, cheapest first (MZIs, then depth). A member that is not exact is our mistake:
// std::logic_error.
std::vector<Candidate> search(const AveragingTask& task, const SearchOptions& options = {});
// Those that no other beats in MZIs or in depth.
std::vector<Candidate> pareto(std::vector<Candidate> candidates);

// The largest sigma, to within `resolution`, at which no point of the grid was wrong in `draws` draws; noise as in StageNoise, on the
// sums as well if `on_inputs`. Bisection on [0, 1].
struct Tolerance {
  double sigma = 0;          // 0 wrong up to here
  std::uint64_t points = 0;  // evaluated per sigma
};
Tolerance tolerance(const Onn& onn, int draws, bool on_inputs, std::uint64_t seed, double resolution = 0.002);

}  // namespace helio::photonics
