// SPDX-License-Identifier: Apache-2.0
#include "studies/fred/strategy_sweep.h"

#include <fmt/format.h>

namespace helio::studies::fred_study {
namespace {

using placement::TrainingPhase;

constexpr double kSamples = 40;  // of a replica (paper 8.3)
constexpr double kFlops = 1e15;

// For 17B at PP 1, 2, 4, 5, 10, 20 (paper 8.3)
double micro_batches(std::uint32_t pp) { return pp == 1 ? 1 : pp == 2 ? 10 : pp < 20 ? 20 : 40; }

SweepPoint point(std::uint32_t mp, std::uint32_t dp, std::uint32_t pp, const PhaseTime& time) {
  constexpr const Workload& kModel = kTransformer17B;
  const double tokens = kSamples * kModel.sequence, activations = 2 * tokens * kModel.hidden;
  const double replicas = kSamples * dp;
  const auto communication = [&](Wafer wafer) {
    const auto of = [&](TrainingPhase phase) { return time({mp, dp, pp, phase}, wafer); };
    return (kModel.layers / pp * 4 * activations * of(TrainingPhase::kMp) +
            2 * kModel.parameters / (mp * pp) * of(TrainingPhase::kDp) + 2 * activations * of(TrainingPhase::kPp)) /
           replicas;
  };
  const double bubble = 1 + (pp - 1) / micro_batches(pp);
  return {.mp = mp,
          .dp = dp,
          .pp = pp,
          .compute = 6 * kModel.parameters * tokens / (mp * pp * kFlops) * bubble / replicas,
          .mesh = communication(Wafer::kMesh),
          .fred_d = communication(Wafer::kD)};
}

}  // namespace

PhaseTime by_rule(MeshRule rule) {
  return [rule](const placement::StrategyPhase& phase, Wafer wafer) { return seconds_per_byte(phase, wafer, rule); };
}

std::string SweepPoint::name() const { return fmt::format("{}-{}-{}", mp, dp, pp); }

std::vector<SweepPoint> sweep(const PhaseTime& time) {
  std::vector<SweepPoint> points;
  for (std::uint32_t mp = 1; mp <= kNpus; ++mp)
    for (std::uint32_t dp = 1; dp <= kNpus / mp; ++dp)
      if (kNpus % (mp * dp) == 0) points.push_back(point(mp, dp, kNpus / (mp * dp), time));
  return points;
}

double communication_gain(const std::vector<SweepPoint>& points) {
  double mesh = 0, fred = 0;
  for (const SweepPoint& at : points) mesh += at.mesh, fred += at.fred_d;
  return mesh / fred;
}

double time_gain(const std::vector<SweepPoint>& points, double kappa) {
  double mesh = 0, fred = 0;
  for (const SweepPoint& at : points) {
    mesh += at.compute / kappa + at.mesh;
    fred += at.compute / kappa + at.fred_d;
  }
  return mesh / fred;
}

}  // namespace helio::studies::fred_study
