// SPDX-License-Identifier: Apache-2.0
// What a speed-up of FRED hangs on (papers/fred.md 5.5), in numbers: one knob at a time.
#include <fmt/format.h>

#include "studies/fred/chapters.h"
#include "studies/fred/end_to_end.h"

namespace helio::studies::fred_study {
namespace {

double fred_d(const Workload& workload, const Knobs& knobs) { return speed_up(workload, Wafer::kD, knobs); }

Knobs with_kappa(Knobs knobs, double kappa) {
  knobs.kappa = kappa;
  return knobs;
}

// Every knob that can matter to a workload, turned once.
struct Turn {
  std::string name;
  Knobs knobs;
};
std::vector<Turn> turns(const Workload& workload, const Knobs& from) {
  std::vector<Turn> all;
  if (workload.mp > 1 || (workload.dp > 1 && workload.dp < kNpus)) {
    all.push_back({"mesh groups by X-Y routed rings", from});
    all.back().knobs.rule = MeshRule::kXyRings;
  }
  if (workload.streaming) {
    all.push_back({"streaming overlapped", from});
    all.back().knobs.overlap = true;
    if (workload.mp * workload.pp > 1) {
      all.push_back({"mesh I/O to the replicas of each shard only", from});
      all.back().knobs.sharded_io = true;
    }
  } else {
    all.push_back({"ZeRO-2 as reduce-scatter and all-gather", from});
    all.back().knobs.zero_apart = true;
  }
  return all;
}

}  // namespace

std::string what_moves_it(const Workload& workload, const Knobs& knobs) {
  std::string text = "what moves Fred-D: compute";
  for (const double factor : {0.1, 1.0, 10.0})
    text += fmt::format("{} x{:g} {:.2f}", factor == 0.1 ? "" : ",", factor,
                        fred_d(workload, with_kappa(knobs, factor * knobs.kappa)));
  for (const Turn& turn : turns(workload, knobs))
    text += fmt::format("; {} {:.2f}", turn.name, fred_d(workload, turn.knobs));
  text += "; bisection";
  for (const Wafer wafer : kTrees)
    text += fmt::format(" {} {:.2f}", variant_of(wafer), speed_up(workload, wafer, knobs));
  return text;
}

Rows sensitivity() {
  Rows rows;
  const char* source = "papers/fred.md 5.5";

  // Bisection: iso-bisection B keeps about half of D's gain
  constexpr double kResnetKappa = 10.3, kExpected[] = {1.10, 1.38, 1.41, 1.76};
  const Knobs resnet{.kappa = kResnetKappa};
  const Assumptions fitted = readings(kResnet, resnet) + Assumptions{own_kappa(kResnet, kResnetKappa)};
  for (std::size_t i = 0; i < kTrees.size(); ++i)
    rows.push_back(derived_row(fmt::format("ResNet-152: {} over mesh, compute 10.3 times as fast", name_of(kTrees[i])),
                               kExpected[i], speed_up(kResnet, kTrees[i], resnet), fitted, source));

  // 3-3-2 does not lie on columns: the mesh pays twice for MP and DP, and then C is not what was published
  Knobs routed{.rule = MeshRule::kXyRings};
  routed.kappa = fitted_kappa(kTransformer17B, kTransformer17B.published_d, routed);
  const Assumptions on_links =
      readings(kTransformer17B, routed) + Assumptions{own_kappa(kTransformer17B, routed.kappa)};
  rows.push_back(following({kTransformer17B.published_d},
                           derived_row("Transformer-17B, X-Y routed rings: compute speed-up that Fred-D needs", 3.4,
                                       routed.kappa, on_links, source)));
  rows.push_back(published_row("Transformer-17B, X-Y routed rings: Fred-C over mesh", kTransformer17B.published_c,
                               speed_up(kTransformer17B, Wafer::kC, routed), on_links, kHeadlines));

  // Every knob from the one factor that nearly fits
  for (const Workload& workload : kWorkloads) {
    std::vector<Turn> all = turns(workload, {.kappa = kOneKappa});
    for (const double kappa : {3.0, 30.0, 100.0})
      all.push_back({fmt::format("compute {:g} times as fast", kappa), {.kappa = kappa}});
    for (const Turn& turn : all) {
      Assumptions assumptions = readings(workload, turn.knobs);
      if (turn.knobs.kappa == kOneKappa)
        assumptions.push_back(one_kappa());
      else
        assumptions.push_back(of_our_own(turn.name + ": a knob, not a reading"));
      if (turn.knobs.sharded_io || turn.knobs.zero_apart)
        assumptions.push_back(of_our_own("not how the paper charges it"));
      rows.push_back(published_row(fmt::format("{}: Fred-D over mesh, one knob: {}", workload.name, turn.name),
                                   workload.published_d, fred_d(workload, turn.knobs), assumptions, kHeadlines));
    }
  }
  return rows;
}

}  // namespace helio::studies::fred_study
