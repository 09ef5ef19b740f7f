// SPDX-License-Identifier: Apache-2.0
// Transformer-17B over every way to write 20 as MP · DP · PP, 40 samples per replica (papers/fred.md 5.4). Times are per sample, so
// that strategies compare. Which strategies the paper averages over is not known; all 18 are ours.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "studies/fred/iteration_model.h"

namespace helio::studies::fred_study {

// Seconds per byte of a phase on a wafer: algebra, or runs.
using PhaseTime = std::function<double(const placement::StrategyPhase&, Wafer)>;
PhaseTime by_rule(MeshRule rule);

struct SweepPoint {
  std::uint32_t mp = 1, dp = 1, pp = 1;
  double compute = 0;           // seconds per sample, kappa = 1
  double mesh = 0, fred_d = 0;  // of communication, seconds per sample
  std::string name() const;
};

std::vector<SweepPoint> sweep(const PhaseTime& time);

// Sums over all strategies, mesh over Fred-D.
double communication_gain(const std::vector<SweepPoint>& points);
double time_gain(const std::vector<SweepPoint>& points, double kappa);

}  // namespace helio::studies::fred_study
