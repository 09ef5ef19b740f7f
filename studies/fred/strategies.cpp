// SPDX-License-Identifier: Apache-2.0
// The strategy sweep of paper 8.3 (papers/fred.md 5.4): four readings of the mesh, one after the other.
#include <fmt/format.h>

#include <algorithm>

#include "studies/fred/assumption.h"
#include "studies/fred/calibration.h"
#include "studies/fred/chapters.h"
#include "studies/fred/strategy_sweep.h"

namespace helio::studies::fred_study {
namespace {

constexpr double kSweepKappa = 8;
const std::string kStrategiesSource = paper("8.3, mean over strategies, Fred-D");

Assumption all_strategies() {
  return of_our_own("all 18 ordered factorisations of 20, sums per sample: the paper's set is not known");
}
Assumption rule_of(MeshRule rule) {
  if (rule != MeshRule::kBothWays) return of_our_own(fmt::format("mesh: {}", name_of(rule)));
  return fitted_to({kCommunication, kTime},
                   fmt::format("mesh: {}; the fourth of four rules tried, chosen because it fits", name_of(rule)));
}
Assumption sweep_kappa() {
  return fitted_to({kTime}, "compute 8 times as fast as 1 PFLOPS and sequences of 1024 say: chosen because it fits");
}

constexpr MeshRule kRules[] = {MeshRule::kOneLink, MeshRule::kXyRings, MeshRule::kSnake, MeshRule::kBothWays};

// The list of papers/fred.md 5.5 for these means.
Assumption what_moves_means() {
  std::string text = "what moves it: compute x1, x8, x80 and the mesh rule:";
  for (const MeshRule rule : kRules) {
    const std::vector<SweepPoint> points = sweep(by_rule(rule));
    text += fmt::format("{} {}, communication {:.2f}, time {:.2f}, {:.2f}, {:.2f}", rule == kRules[0] ? "" : ";",
                        name_of(rule), communication_gain(points), time_gain(points, 1), time_gain(points, 8),
                        time_gain(points, 80));
  }
  return noted(text);
}

// On links, as runs have them. The vectors are long and latency is 0, so seconds are in proportion to bytes.
PhaseTime by_runs(Runs& runs) {
  return [&runs](const placement::StrategyPhase& phase, Wafer wafer) {
    return flows_of(phase).empty() ? 0 : runs(as_published(phase, wafer)).seconds / kBytes;
  };
}

}  // namespace

Rows strategies(Runs& runs) {
  Rows rows;
  for (const MeshRule rule : kRules) {
    const double gain = communication_gain(sweep(by_rule(rule)));
    const Assumptions assumptions{all_strategies(), rule_of(rule), what_moves_means()};
    const std::string name =
        fmt::format("17B over strategies, exposed communication, mesh over Fred-D, {}", name_of(rule));
    rows.push_back(published_row(name, kCommunication, gain, assumptions, kStrategiesSource));
  }
  const std::vector<SweepPoint> fitted = sweep(by_rule(MeshRule::kBothWays));
  const Assumptions fit{all_strategies(), rule_of(MeshRule::kBothWays), sweep_kappa(), what_moves_means()};
  rows.push_back(published_row(
      "17B over strategies, time, mesh over Fred-D, first principles", kTime,
      time_gain(sweep(by_rule(MeshRule::kOneLink)), 1),
      {all_strategies(), rule_of(MeshRule::kOneLink),
       of_our_own("1 PFLOPS per NPU at 100 % (our reading of H100-like), sequences of 1024: ours"), what_moves_means()},
      kStrategiesSource));
  rows.push_back(published_row("17B over strategies, time, mesh over Fred-D", kTime, time_gain(fitted, kSweepKappa),
                               fit, kStrategiesSource));
  rows.push_back(derived_row(
      "17B over strategies, exposed communication, mesh over Fred-D, simulated", 7.63,
      communication_gain(sweep(by_runs(runs))),
      {all_strategies(), noted("every phase of every strategy run on the links of mesh and Fred-D, latency 0"),
       of_our_own("mesh: X-Y routed rings in NPU order; the whole wafer in two chunks, 11:13")},
      "papers/fred.md 5.4, X-Y rings"));

  // Which strategy wins
  const auto fastest = [&](double SweepPoint::*communication) {
    return *std::ranges::min_element(
        fitted, {}, [&](const SweepPoint& at) { return at.compute / kSweepKappa + at.*communication; });
  };
  rows.push_back(
      published_row("17B: MP of the fastest strategy on Fred-D", 20, fastest(&SweepPoint::fred_d).mp,
                    fit + Assumptions{noted("memory is not asked: the fastest here is pure DP, on the mesh as well")},
                    paper("8.3: MP20-DP1-PP1, the most compute-efficient")));

  // What the two means say about each other: met by construction
  for (const auto& [name, communication, time, expected] :
       {std::tuple{"17B", kCommunication, kTime, 1.03}, {"1T", kCommunication1t, kTime1t, 0.70}}) {
    const double ratio = ratio_from(time, communication);
    Assumptions solved{
        solved_from({communication, time}, "one ratio of communication to compute, solved from both published means")};
    if (time == kTime) solved.push_back(what_moves_means());
    rows.push_back(following({communication, time},
                             derived_row(fmt::format("{} over strategies: mesh communication over compute", name),
                                         expected, ratio, solved, "papers/fred.md 4, derived")));
    rows.push_back(
        published_row(fmt::format("{} over strategies, time, mesh over Fred-D, calibrated, not predicted", name), time,
                      speed_up_from(ratio, communication), solved, kStrategiesSource));
  }
  return rows;
}

}  // namespace helio::studies::fred_study
