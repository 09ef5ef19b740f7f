// SPDX-License-Identifier: Apache-2.0
// Where the answer changes, found by bisection on runs.
//
//     seconds                            `sufficient`: from here on an iteration is within 1 % of what it is with plenty
//        │╲   ╲ FRED-D + WRHT            `overtaking`: from here on FRED-D behind a poor network beats the mesh behind a good one
//        │ ╲___╲________ mesh + fat-tree
//        │      ╲_______
//        └───────┴────────── injection
#include <fmt/format.h>

#include "studies/joined_wafers/assumption.h"
#include "studies/joined_wafers/chapters.h"

namespace helio::studies::one_system_study {
namespace {

// Bits per second that carry what must leave a wafer within an iteration of so many seconds, after its forward.
double least_rate(Runs& runs, const System& system, const Model& model, double seconds) {
  const double forward = kForward * runs.bound({{system.inside, Between::kFatTree}, &model, kPlenty}).compute;
  return 8 * least_sent(system) * 2 * model.parameters / (seconds - forward);
}

// WRHT sends whole vectors up and down a tree; where to look for it first.
double guess_of(const System& system) { return system.between == Between::kWrht ? 9.5 : 1.15; }

}  // namespace

double sufficient_seconds(Runs& runs, const System& system, const Model& model) {
  return kSuffices * runs.seconds({{system.inside, Between::kFatTree}, &model, kPlenty});
}

Bracket sufficient(Runs& runs, const System& system, const Model& model) {
  const double most = sufficient_seconds(runs, system, model);
  return least_injection(guess_of(system) * least_rate(runs, system, model, most), [&](double injection) {
    return runs.seconds({system, &model, injection}) <= most;
  });
}

Bracket overtaking(Runs& runs, const System& first, const System& second, const Model& model) {
  const double guess = guess_of(first) * least_rate(runs, first, model, runs.seconds({second, &model, kPlenty}));
  return least_injection(guess, [&](double injection) {
    return runs.seconds({first, &model, injection}) < runs.seconds({second, &model, injection});
  });
}

Rows crossings(Runs& runs) {
  Rows rows;
  const auto add_sufficient = [&](Between between, const Model& model) {
    const System system{Inside::kFredD, between};
    const double with = sufficient(runs, system, model).with;
    const double most = sufficient_seconds(runs, system, model);
    rows.push_back(bounded_row(
        fmt::format("{}: injection a wafer from which on {} holds nothing up (Tb/s)", model.title, name_of(system)),
        least_rate(runs, system, model, most) / 1e12, with / 1e12,
        Assumptions{strategy_of(model),
                    noted("an iteration within 1 % of that behind a fat-tree of 1 Pb/s; bisected to 2 %")} +
            network_of(system),
        "lower bound: what must leave a wafer, evenly over that iteration after its forward"));
  };
  add_sufficient(Between::kFatTree, kGpt3);
  for (const Between between : {Between::kFatTree, Between::kOptinc, Between::kWrht})
    add_sufficient(between, kTransformer1T);

  const System light{Inside::kFredD, Between::kWrht}, electrical{Inside::kMesh, Between::kFatTree};
  const double with = overtaking(runs, light, electrical, kGpt3).with;
  rows.push_back(
      bounded_row(fmt::format("{}: injection a wafer from which on {} is faster than {} (Tb/s)", kGpt3.title,
                              name_of(light), name_of(electrical)),
                  least_rate(runs, light, kGpt3, runs.seconds({electrical, &kGpt3, with})) / 1e12, with / 1e12,
                  Assumptions{strategy_of(kGpt3), noted("both at the same injection; bisected to 2 %")} +
                      network_of(light) + network_of(electrical),
                  "lower bound: what must leave a wafer, evenly over the iteration of the other after its forward"));
  return rows;
}

}  // namespace helio::studies::one_system_study
