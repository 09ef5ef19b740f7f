// SPDX-License-Identifier: Apache-2.0
// Sets of assumptions that were tried on the published 1.6x and 1.7x, as data (papers/oddl.md 6). All are calibrated or fitted: which
// set the paper had, if any of these, nobody here knows. H2, which has only latency, is a chapter of its own.
#pragma once

#include <string>
#include <vector>

#include "studies/oddl/assumption.h"
#include "studies/oddl/iteration.h"
#include "studies/oddl/runs.h"

namespace helio::studies::oddl_study {

// What loses time on the tree; the all-reduce is a ring unless it says otherwise.
enum class Tree {
  kSlow,            // a share of line rate for everybody: the product's `switch` at that rate
  kOversubscribed,  // k = 16, uplinks of racks so many times slower, ranks in host order: the product's `fat-tree`
  kShuffledRacks,   // k = 16, ECMP, at the mean share of tree_share.h
  kHalvingNear,     // the same, halving/doubling, large halves in the rack
  kHalvingFar,      // and large halves across the tree
};

// Which of the values below were solved from a published ratio.
enum class Solved {
  kNothing,
  kComputeFromSip,
  kComputeFromTree,
  kComputeFromSipAndTreeShare,
  kComputeFromTreeAndInterval
};

struct Times {
  double oddl = 0, tree = 0, sip = 0;  // of one iteration, seconds
  double over_tree() const { return tree / oddl; }
  double over_sip() const { return sip / oddl; }
};

struct Preset {
  std::string name;
  std::string assumed;
  Bucketing bucketing = Bucketing::kFused;
  bool overlap = false;
  std::string oddl = "ring";  // its algorithm
  Tree tree = Tree::kSlow;
  double tree_value = 1;  // share, or oversubscription
  double interval = 0;    // of SiP-Ring, which is dark 25 us before each; 0: never dark. One direction: 50 Gb/s
  double compute = 0;     // seconds
  Solved solved = Solved::kNothing;
  std::string judgement;
  Times expected;  // of the spec, in ms
  double expected_over_tree = 0, expected_over_sip = 0;

  double step() const { return 1e-6; }
  double tree_step() const { return tree >= Tree::kShuffledRacks ? 3e-6 : 1e-6; }
  std::vector<double> targets() const;  // ratios from which its values, or the one that it borrows, were solved
};

const std::vector<Preset>& presets();
const Preset& preset(const std::string& name);  // Requires: there is one.

// All-reduces of the preset's networks, by runs of the product where these are affordable.
Cost oddl_cost(Runs& runs, const Preset& preset);
Cost tree_cost(Runs& runs, const Preset& preset);
Cost sip_cost(Runs& runs, const Preset& preset);

Times times(Runs& runs, const Preset& preset);

// Solved anew, for comparison with the table. Requires: the preset's `solved` names it.
double solved_compute(Runs& runs, const Preset& preset);
double solved_tree_share(Runs& runs, const Preset& preset);
double solved_interval(Runs& runs, const Preset& preset);

}  // namespace helio::studies::oddl_study
