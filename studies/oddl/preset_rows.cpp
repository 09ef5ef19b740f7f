// SPDX-License-Identifier: Apache-2.0
// The presets as rows: beside the abstract's two ratios, and beside what the spec derives for them (papers/oddl.md 6).
#include <fmt/format.h>

#include "studies/oddl/chapters.h"
#include "studies/oddl/presets.h"
#include "studies/oddl/tree_share.h"

namespace helio::studies::oddl_study {
namespace {

constexpr const char* kSource = "papers/oddl.md 6";

Assumptions assumptions_of(const Preset& preset) {
  const bool borrowed = preset.solved == Solved::kNothing;
  const std::string compute =
      fmt::format("compute {:g} ms an iteration, {}; 1 us a step where nothing else is said", 1e3 * preset.compute,
                  borrowed ? "as in H4" : "solved from a published ratio");
  const auto made = borrowed ? fitted_to : solved_from;
  return {made(preset.targets(), preset.assumed), made(preset.targets(), compute),
          noted("judgement: " + preset.judgement)};
}

// The mean over seeds of whole simulated all-reduces, in place of one at the mean share: slow seeds weigh more.
double simulated_tree(Runs& runs, const Preset& preset) {
  return preset.compute + mean_over_seeds([&](int seed) {
           if (preset.tree != Tree::kShuffledRacks)
             return runs(tree_halving(preset.tree_step(), preset.tree == Tree::kHalvingNear, seed)).seconds;
           Question question = on_tree(preset.tree_step(), seed);
           question.settings["rank_order"] = "racks";
           return runs(question).seconds;
         });
}

}  // namespace

Rows preset_ratios(Runs& runs) {
  Rows rows;
  for (const Preset& preset : presets()) {
    const Times found = times(runs, preset);
    const Assumptions assumptions = assumptions_of(preset);
    rows.push_back(published_row(preset.name + ": ODDL over fat-tree", kOverTree, found.over_tree(), assumptions));
    rows.push_back(published_row(preset.name + ": ODDL over SiP-Ring", kOverSip, found.over_sip(), assumptions));
  }
  return rows;
}

Rows preset_times(Runs& runs) {
  Rows rows;
  for (const Preset& preset : presets()) {
    const Times found = times(runs, preset);
    const auto add = [&](const char* quantity, double expected, double ours, const std::vector<double>& of = {}) {
      rows.push_back(following(of, derived_row(fmt::format("{}: {}", preset.name, quantity), expected, ours,
                                               assumptions_of(preset), kSource)));
    };

    // What an iteration takes
    add("iteration on ODDL (ms)", preset.expected.oddl, 1e3 * found.oddl);
    add("iteration on fat-tree (ms)", preset.expected.tree, 1e3 * found.tree);
    add("iteration on SiP-Ring (ms)", preset.expected.sip, 1e3 * found.sip);
    add("ratio over fat-tree that the spec derives", preset.expected_over_tree, found.over_tree(), {kOverTree});
    add("ratio over SiP-Ring that the spec derives", preset.expected_over_sip, found.over_sip(), {kOverSip});

    // What had to be solved for
    if (preset.solved != Solved::kNothing)
      add("compute solved for (ms)", 1e3 * preset.compute, 1e3 * solved_compute(runs, preset), preset.targets());
    if (preset.solved == Solved::kComputeFromSipAndTreeShare)
      add("tree's share of line rate solved for", 0.54, solved_tree_share(runs, preset), preset.targets());
    if (preset.solved == Solved::kComputeFromTreeAndInterval)
      add("SiP-Ring's interval solved for (us)", 1e6 * preset.interval, 1e6 * solved_interval(runs, preset),
          preset.targets());

    // The same by other runs
    if (preset.tree >= Tree::kShuffledRacks)
      add("iteration on fat-tree, mean of simulated all-reduces (ms)", preset.expected.tree,
          1e3 * simulated_tree(runs, preset));
    if (preset.name == "H6") {
      add("iteration on an ideal switch at half rate instead of the tree (ms)", preset.expected.tree,
          1e3 * (preset.compute + runs(on_switch(kRate / 2, preset.tree_step())).seconds));
      add("compute as images at the V100 rate (batch)", 11, kV100 * preset.compute, preset.targets());
      add("compute as images at the A100 rate (batch)", 28, kA100 * preset.compute, preset.targets());
    }
  }
  return rows;
}

}  // namespace helio::studies::oddl_study
