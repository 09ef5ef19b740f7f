// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/four_nodes.h"

#include <fmt/format.h>

#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"
#include "studies/oddl/iteration.h"

namespace helio::studies::oddl_study {
namespace {

constexpr int kFour = 4;
constexpr double kFourNodesStep = 2e-6, kFibre = 5, kCompute = 32 / kV100;

}  // namespace

double four_nodes_ratio(double tune) {
  const double setup = SetUp{.fibre = kFibre, .tune = tune}.seconds();
  return (kCompute + halving_cost(kGradient, kFour, kRate, kFourNodesStep, setup)) /
         (kCompute + halving_cost(kGradient, kFour, kRate, kFourNodesStep));
}

double four_nodes_ratio(Runs& runs, double tune, bool hold) {
  Question oddl = on_oddl("halving-doubling", kFourNodesStep), ideal = on_switch(kRate, kFourNodesStep);
  oddl.nodes = ideal.nodes = kFour;
  ideal.algorithm = oddl.algorithm;
  oddl.settings["fibre"] = fmt::format("{}", kFibre);
  oddl.settings["tune"] = in_seconds(tune);
  if (!hold) oddl.settings["hold"] = "false";
  return (kCompute + runs(oddl).seconds) / (kCompute + runs(ideal).seconds);
}

Rows four_nodes(Runs& runs) {
  const Assumption testbed = of_our_own(
      "batch 32 at 190 images/s (V100, recalled), 100 Gb/s, 2 us a step, 5 m of fibre, fused, no overlap: rates and "
      "hardware of the "
      "testbed are not known, the abstract says only \"comparable\"");
  const Assumption formula = of_our_own("every step is a new permutation, by formula");
  const Assumption simulated = of_our_own(
      "simulated: halving ends and doubling begins with the same circuits, which stay, so that three of four "
      "steps are dark");
  const Assumption given_up = of_our_own("simulated with fabric.hold = false: a circuit is given up after every flow");
  struct Line {
    const char* tune;
    double seconds, expected;
  };
  Rows rows;
  for (const Line& line : {Line{"0.1 us", 0.1e-6, 1.0000}, {"10 us", 10e-6, 1.0002}, {"1 ms", 1e-3, 1.017}}) {
    const std::string name = fmt::format("four nodes: ODDL over ideal switch, tuning {}", line.tune);
    rows.push_back(
        derived_row(name, line.expected, four_nodes_ratio(line.seconds), {testbed, formula}, "papers/oddl.md 6"));
    rows.push_back(derived_row(name + ", simulated", line.expected, four_nodes_ratio(runs, line.seconds),
                               {testbed, simulated}, "papers/oddl.md 6"));
    rows.push_back(derived_row(name + ", simulated, no circuit held", line.expected,
                               four_nodes_ratio(runs, line.seconds, false), {testbed, given_up}, "papers/oddl.md 6"));
  }
  return rows;
}

}  // namespace helio::studies::oddl_study
