// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "studies/oddl/cost.h"
#include "studies/oddl/tree_share.h"

namespace helio::studies::oddl_study {
namespace {

// Where a falling function meets its target.
double meet(const std::function<double(double)>& falling, double target, double low, double high) {
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (falling(middle) > target ? low : high) = middle;
  }
  return low;
}

double iterate(const Preset& preset, double compute, const Cost& cost) {
  return iteration(compute, preset.bucketing, preset.overlap, cost);
}

// An all-reduce of the product, as a function of its bytes.
Cost run_of(Runs& runs, Question question) {
  return [&runs, question](double bytes) mutable {
    question.bytes = bytes;
    return runs(question).seconds;
  };
}

}  // namespace

std::vector<double> Preset::targets() const {
  switch (solved) {
    case Solved::kComputeFromTree: return {kOverTree};
    case Solved::kComputeFromSip:
    case Solved::kNothing: return {kOverSip};  // H5 has the compute time of H4
    case Solved::kComputeFromSipAndTreeShare:
    case Solved::kComputeFromTreeAndInterval: break;
  }
  return {kOverTree, kOverSip};
}

const std::vector<Preset>& presets() {
  static const std::string kSplit = "SiP-Ring's ring all-reduce in one direction, 50 of 100 Gb/s";
  static const std::vector<Preset> all = {
      {.name = "H1",
       .assumed = "one fused all-reduce after backward, the same ring everywhere; " + kSplit +
                  ", no dark time; tree at 53.85 % of line rate, solved from a published ratio, for a reason not named "
                  "(`switch` at that rate)",
       .tree_value = 0.5385,
       .compute = 37.3e-3,
       .solved = Solved::kComputeFromSipAndTreeShare,
       .judgement = "plausible",
       .expected = {131, 210, 223},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.70},
      {.name = "H1'",
       .assumed = "as H1, with buckets of 25 MB that leave during backward; ODDL's buckets by the formula of "
                  "papers/oddl.md 2.5, "
                  "the others' by runs (`switch`, `sip-ring`)",
       .bucketing = Bucketing::k25MB,
       .overlap = true,
       .tree_value = 0.5385,
       .compute = 75.1e-3,
       .solved = Solved::kComputeFromSipAndTreeShare,
       .judgement = "plausible",
       .expected = {131, 210, 223},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.70},
      {.name = "H6",
       .assumed = "one fused all-reduce after backward, the same ring everywhere; tree at half rate (`fat-tree`, k = "
                  "16, 2:1 at the "
                  "edge); " +
                  kSplit + " and dark 25 us before each interval of 300 us, chosen because it meets a published ratio",
       .tree = Tree::kOversubscribed,
       .tree_value = 2,
       .interval = 300e-6,
       .compute = 59.2e-3,
       .solved = Solved::kComputeFromTreeAndInterval,
       .judgement = "plausible, the default: but for compute only round numbers",
       .expected = {153, 245, 260},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.70},
      {.name = "H5",
       .assumed = "one fused all-reduce after backward, ring; tree k = 16, 1:1, ECMP, racks kept together in random "
                  "order, 3 us a step, "
                  "at the mean share of runs of `fat-tree` over seeds; " +
                  kSplit + ", no dark time; compute as in H4",
       .tree = Tree::kShuffledRacks,
       .compute = 42.2e-3,
       .judgement = "close on SiP-Ring only",
       .expected = {136, 253, 228},
       .expected_over_tree = 1.85,
       .expected_over_sip = 1.67},
      {.name = "H3 2:1",
       .assumed = "as H6, but SiP-Ring dark 25 us before each interval of 100 us, as its simulator's scripts have it",
       .tree = Tree::kOversubscribed,
       .tree_value = 2,
       .interval = 100e-6,
       .compute = 59.2e-3,
       .solved = Solved::kComputeFromTree,
       .judgement = "rejected: SiP-Ring too slow",
       .expected = {153, 245, 291},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.90},
      {.name = "H3 3:1",
       .assumed = "as H3 2:1, with a tree of 3:1",
       .tree = Tree::kOversubscribed,
       .tree_value = 3,
       .interval = 100e-6,
       .compute = 212e-3,
       .solved = Solved::kComputeFromTree,
       .judgement = "rejected: the order of the two ratios is reversed",
       .expected = {306, 490, 444},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.45},
      {.name = "H3 4:1",
       .assumed = "as H3 2:1, with a tree of 4:1",
       .tree = Tree::kOversubscribed,
       .tree_value = 4,
       .interval = 100e-6,
       .compute = 365e-3,
       .solved = Solved::kComputeFromTree,
       .judgement = "rejected: the order of the two ratios is reversed",
       .expected = {459, 735, 597},
       .expected_over_tree = 1.60,
       .expected_over_sip = 1.30},
      {.name = "H4 near",
       .assumed = "fused, after backward, halving/doubling on ODDL and on the tree (k = 16, 1:1, ECMP, 3 us a step), "
                  "large halves within "
                  "the rack, each step at its mean share of runs of `fat-tree` over seeds; " +
                  kSplit + ", ring, no dark time",
       .oddl = "halving-doubling",
       .tree = Tree::kHalvingNear,
       .compute = 42.2e-3,
       .solved = Solved::kComputeFromSip,
       .judgement = "rejected: the tree is too fast",
       .expected = {134, 178, 228},
       .expected_over_tree = 1.32,
       .expected_over_sip = 1.70},
      {.name = "H4 far",
       .assumed = "as H4 near, large halves across the tree",
       .oddl = "halving-doubling",
       .tree = Tree::kHalvingFar,
       .compute = 42.2e-3,
       .solved = Solved::kComputeFromSip,
       .judgement = "rejected: the tree is far too slow",
       .expected = {134, 521, 228},
       .expected_over_tree = 3.89,
       .expected_over_sip = 1.70},
  };
  return all;
}

const Preset& preset(const std::string& name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  assert(found != presets().end() && "a preset of the table");
  return *found;
}

Cost oddl_cost(Runs& runs, const Preset& preset) {
  if (preset.overlap)  // a run of ODDL's ring takes a second, and its time is the formula's (chapter collectives)
    return [step = preset.step()](double bytes) { return ring_cost(bytes, kNodes, kRate, step, SetUp{}.seconds()); };
  return run_of(runs, on_oddl(preset.oddl, preset.step()));
}

Cost tree_cost(Runs& runs, const Preset& preset) {
  const double step = preset.tree_step();
  switch (preset.tree) {
    case Tree::kSlow: return run_of(runs, on_switch(preset.tree_value * kRate, step));
    case Tree::kOversubscribed: {
      Question question = on_tree(step);
      question.settings["oversubscription"] = fmt::format("{}", preset.tree_value);
      return run_of(runs, question);
    }
    case Tree::kShuffledRacks:
      return [rate = kRate * ring_share(runs, "racks"), step](double bytes) {
        return ring_cost(bytes, kNodes, rate, step);
      };
    case Tree::kHalvingNear:
    case Tree::kHalvingFar: break;
  }
  return [rates = tree_halving_rates(runs, preset.tree == Tree::kHalvingNear), step](double bytes) {
    return halving_cost(bytes, rates, step);
  };
}

Cost sip_cost(Runs& runs, const Preset& preset) { return run_of(runs, on_sip_ring(preset.interval, preset.step())); }

Times times(Runs& runs, const Preset& preset) {
  return {.oddl = iterate(preset, preset.compute, oddl_cost(runs, preset)),
          .tree = iterate(preset, preset.compute, tree_cost(runs, preset)),
          .sip = iterate(preset, preset.compute, sip_cost(runs, preset))};
}

double solved_compute(Runs& runs, const Preset& preset) {
  const Cost oddl = oddl_cost(runs, preset);
  const bool by_tree =
      preset.solved == Solved::kComputeFromTree || preset.solved == Solved::kComputeFromTreeAndInterval;
  const Cost other = by_tree ? tree_cost(runs, preset) : sip_cost(runs, preset);
  return meet([&](double compute) { return iterate(preset, compute, other) / iterate(preset, compute, oddl); },
              by_tree ? kOverTree : kOverSip, 0, 1);
}

double solved_tree_share(Runs& runs, const Preset& preset) {
  const double compute = solved_compute(runs, preset), oddl = iterate(preset, compute, oddl_cost(runs, preset));
  const auto ratio = [&](double share) {
    const Cost ring = [&](double bytes) { return ring_cost(bytes, kNodes, share * kRate, preset.tree_step()); };
    return iterate(preset, compute, ring) / oddl;
  };
  return meet(ratio, kOverTree, 0.1, 1);
}

double solved_interval(Runs& runs, const Preset& preset) {
  const double compute = solved_compute(runs, preset), oddl = iterate(preset, compute, oddl_cost(runs, preset));
  const auto ratio = [&](double interval) {
    const Cost ring = [&](double bytes) {
      return kSipDark + ring_cost(bytes, kNodes, kRate / 2 * sip_duty(interval), preset.step());
    };
    return iterate(preset, compute, ring) / oddl;
  };
  return meet(ratio, kOverSip, 10e-6, 10e-3);
}

}  // namespace helio::studies::oddl_study
