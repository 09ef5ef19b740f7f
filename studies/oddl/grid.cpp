// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/grid.h"

#include <cmath>

#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"
#include "studies/oddl/iteration.h"

namespace helio::studies::oddl_study {
namespace {

// What all three networks share.
struct Job {
  Bucketing bucketing;
  bool overlap;
  double compute;
  double ring(double rate, double step, double setup = 0) const {
    return iteration(compute, bucketing, overlap,
                     [=](double bytes) { return ring_cost(bytes, kNodes, rate, step, setup); });
  }
  double halving(double step, double setup) const {
    return iteration(compute, bucketing, overlap,
                     [=](double bytes) { return halving_cost(bytes, kNodes, kRate, step, setup); });
  }
};

// Every tree and SiP-Ring beside one ODDL.
void count_baselines(const Job& job, double step, double oddl, GridCount& count) {
  constexpr double kWithin = 0.06;
  for (const bool half : {true, false}) {
    const bool sip_fits = std::abs(job.ring(half ? kRate / 2 : kRate, step) / oddl - 1.7) <= kWithin;
    for (const auto& [share, counter] : {std::pair{1.0, &count.full_tree},
                                         {0.75, &count.three_quarter_tree},
                                         {0.5, &count.half_tree},
                                         {1.0 / 3, &count.third_tree}})
      for (const double extra : {0.0, 1e-6, 3e-6}) {
        ++count.sets;
        if (!sip_fits || std::abs(job.ring(share * kRate, step + extra) / oddl - 1.6) > kWithin) continue;
        ++count.fit;
        ++*counter;
        if (half) ++count.half_sip_ring;
      }
  }
}

}  // namespace

GridCount count_grid() {
  const double setup = SetUp{}.seconds();
  GridCount count;
  for (const Bucketing bucketing : {Bucketing::kFused, Bucketing::kPerLayer, Bucketing::k25MB})
    for (const bool overlap : {false, true})
      for (const double batch : {4, 8, 16, 32, 64})
        for (const double images_per_second : {kV100, kA100}) {
          const Job job{bucketing, overlap, batch / images_per_second};
          for (const double step : {0.5e-6, 1e-6, 2e-6, 5e-6}) {
            count_baselines(job, step, job.ring(kRate, step, setup), count);
            count_baselines(job, step, job.halving(step, setup), count);
          }
        }
  return count;
}

Rows grid_rows() {
  const GridCount count = count_grid();
  const Assumptions grid{of_our_own(
      "fused, per layer or 25 MB; overlap; ring or halving/doubling on ODDL; step 0.5, 1, 2, 5 us; SiP-Ring at "
      "half rate or not; tree at 1, 3/4, 1/2, 1/3 of its rate and 0, 1, 3 us more a step; batch 4 to 64; V100 or "
      "A100 rates; all by formula. A fit with nine knobs and two targets is no evidence")};
  const char* source = "papers/oddl.md 6";
  Rows rows;
  const auto add = [&](const char* quantity, double expected, int ours) {
    rows.push_back(derived_row(quantity, expected, ours, grid, source));
  };
  add("grid of assumptions: sets", 11520, count.sets);
  add("grid of assumptions: sets within 0.06 of both 1.6 and 1.7", 42, count.fit);
  add("grid of assumptions: of these, SiP-Ring at half rate", 41, count.half_sip_ring);
  add("grid of assumptions: of these, tree at 3/4 of line rate", 27, count.three_quarter_tree);
  add("grid of assumptions: of these, tree at 1/2 of line rate", 14, count.half_tree);
  add("grid of assumptions: of these, tree at full rate", 1, count.full_tree);
  add("grid of assumptions: of these, tree at 1/3 of line rate", 0, count.third_tree);
  return rows;
}

}  // namespace helio::studies::oddl_study
