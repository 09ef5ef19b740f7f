// SPDX-License-Identifier: Apache-2.0
// What is left of ODDL's lead over baselines that are used well (papers/oddl.md 6), at the compute time of H6.
#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/cost.h"
#include "studies/oddl/presets.h"

namespace helio::studies::oddl_study {

Rows sensitivity(Runs& runs) {
  const double compute = preset("H6").compute;
  const double halving = compute + runs(on_oddl("halving-doubling", 1e-6)).seconds;
  const double ring = compute + runs(on_oddl("ring", 1e-6)).seconds;
  Assumption job = of_our_own("fused, no overlap, compute 59.2 ms of H6; a choice of ours, not of the paper");
  job.uses = preset("H6").targets();
  const Assumption by_halving = of_our_own("ODDL by halving/doubling, 1 us a step");
  const Assumption by_ring = of_our_own("ODDL by the ring, 1 us a step");
  Rows rows;

  // A tree whose ring follows the racks: nothing shares a link
  const Assumption tree = of_our_own("k = 16, 1:1, ECMP, ring in host order, 3 us a step");
  const double aware = compute + runs(on_tree(3e-6)).seconds;
  rows.push_back(derived_row("sensitivity: ODDL over a fat-tree with a topology-aware ring", 1.04, aware / halving,
                             {job, tree, by_halving}, "papers/oddl.md 6"));
  constexpr double kSteps = 2 * (kNodes - 1);
  const double by_formula = compute + ring_cost(kGradient, kNodes, kRate, 1e-6, SetUp{}.seconds());
  rows.push_back(derived_row("sensitivity: ODDL's ring over a fat-tree with a topology-aware ring",
                             1 + kSteps * 2e-6 / by_formula, aware / ring, {job, tree, by_ring},
                             "papers/oddl.md 2.5: the same ring, 2 us more in each of 2046 steps"));

  // SiP-Ring with both directions and no dark time
  const Assumption sip = of_our_own("4 wavelengths of 25 Gb/s, bidirectional ring, no dark time, 1 us a step");
  Question question = on_sip_ring(0, 1e-6);
  question.algorithm = "bidirectional-ring";
  const double both_ways = compute + runs(question).seconds;
  rows.push_back(derived_row("sensitivity: ODDL over SiP-Ring with a bidirectional ring and no dark time", 1.01,
                             both_ways / halving, {job, sip, by_halving}, "papers/oddl.md 6"));
  rows.push_back(derived_row(
      "sensitivity: ODDL's ring over SiP-Ring with a bidirectional ring and no dark time", 1, both_ways / ring,
      {job, sip, by_ring},
      "papers/oddl.md 3.1 (a): both ways round it has all its wavelengths, so the same ring at the same rate"));
  return rows;
}

}  // namespace helio::studies::oddl_study
