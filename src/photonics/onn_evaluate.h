// SPDX-License-Identifier: Apache-2.0
// How often a network is wrong, over all inputs there are or over random ones (papers/optinc.md 2.2: the error metrics).
//
//   (a) wrong fraction, every point of the grid alike          (c) histogram of G_out − G
//   (b) the same for uniform random codes of the servers       (d) mean |G_out − G|, of the points evaluated
//
// Margins say how far from a mistake a right network is: an output from the nearest threshold between two symbols (½ at best, with
// neighbours at unit distance), and a step from the middle of its slope, z − ½ (onn_wires.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "photonics/onn.h"

namespace helio::photonics {

enum class Sampling {
  kAll,    // the grid, point by point
  kGrid,   // random points, uniform over the grid
  kCodes,  // random points, from uniform random codes
};

struct EvaluationOptions {
  Sampling sampling = Sampling::kAll;
  std::uint64_t points = 0;  // of kGrid and kCodes
  StageNoise noise;
  int draws = 1;  // of the noise, per point
  bool rare =
      false;  // draw it where it matters, where the network allows that (onn_rare_noise.h): margins of steps are then without it
  std::uint64_t seed = 1;  // of points and noise
};

// The most points that kAll goes through: beyond, Error(kInfeasible) asks for random ones.
inline constexpr double kMostPoints = 2e8;

struct Evaluation {
  double grid = 0;           // points there are
  std::uint64_t points = 0;  // evaluated, draws included
  std::uint64_t wrong = 0;
  double wrong_fraction = 0;                        // (a) with kAll and kGrid, (b) with kCodes
  std::optional<double> wrong_weighted;             // (b), with kAll and kCodes
  std::map<std::int64_t, std::uint64_t> histogram;  // (c), 0 included
  double mean_error = 0;                            // (d)
  double output_margin = 0;  // smallest distance to a wrong decision; negative where one was made
  std::vector<std::optional<double>>
      step_margin;          // per layer: smallest |z − ½| of its saturating steps; relu and none have none
  std::string first_wrong;  // a wrong point in words, for messages; empty: none
};

// Throws Error(kInput) for a network that does not check() and options out of range.
Evaluation evaluate(const Onn& onn, const EvaluationOptions& options = {});

// The share of wrong points that white noise of `sigma` on the outputs alone causes, every point of the grid alike: each symbol is
// wrong when its noise passes ½ towards a neighbour that exists. No network whose last stage has that noise is better.
double output_noise_bound(const AveragingTask& task, double sigma);

}  // namespace helio::photonics
