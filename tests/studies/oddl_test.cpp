// SPDX-License-Identifier: Apache-2.0
#include "studies/oddl/oddl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/error.h"
#include "studies/oddl/assumption.h"
#include "studies/oddl/chapters.h"
#include "studies/oddl/grid.h"
#include "studies/oddl/iteration.h"
#include "studies/oddl/logged_jobs.h"
#include "studies/oddl/presets.h"
#include "studies/told.h"

namespace helio::studies::oddl_study {
namespace {

// papers/oddl.md 0: only the abstract is known.
TEST(OddlStudy, NoRowIsLiteralAndEachSaysThatTheBodyIsUnknown) {
  const Findings findings = reproduce("oddl");
  std::set<std::string> names;
  for (const report::Row& row : findings.rows) {
    EXPECT_TRUE(row.label() == "calibrated" || row.label() == "fitted" || row.label() == "ours") << row.quantity;
    ASSERT_GE(row.assumptions.size(), 2u) << row.quantity;
    EXPECT_NE(row.assumptions.front().text.find("unknown to us"), std::string::npos) << row.quantity;
    EXPECT_TRUE(names.insert(row.quantity).second) << row.quantity << " twice";
    EXPECT_EQ(row.published.has_value(), row.source.find("abstract") != std::string::npos) << row.quantity;
    if (row.published) {  // the abstract's two numbers, and no other
      EXPECT_EQ(row.published, row.quantity.find("over fat-tree") != std::string::npos ? 1.6 : 1.7) << row.quantity;
    }
  }

  // Pictures, each with all its points
  ASSERT_EQ(findings.charts.size(), 3u);
  EXPECT_EQ(findings.charts.front().name, "oddl-presets");
  EXPECT_EQ(findings.charts.front().series.front().points.size(), presets().size());
  for (const report::Chart& chart : findings.charts)
    for (const report::Series& series : chart.series) EXPECT_FALSE(series.points.empty()) << chart.name << series.name;
}

// One free parameter solved from one ratio is a calibration; H5 borrows the one of H4, which was solved for another tree.
TEST(OddlStudy, WhatWasSolvedFromARatioIsCalibrated) {
  const Told ours{preset_ratios, preset_times};
  std::size_t calibrated = 0, fitted = 0;
  for (const report::Row& row : ours.rows()) {
    EXPECT_EQ(row.label(), row.quantity.starts_with("H5") ? "fitted" : "calibrated") << row.quantity;
    (row.label() == "fitted" ? fitted : calibrated) += 1;
    // What was solved for is not predicted
    if (row.quantity.find("solved for") != std::string::npos) {
      EXPECT_FALSE(row.predicted()) << row.quantity;
    }
  }
  EXPECT_EQ(calibrated, 72u);  // of nine sets 63 rows, 7 of them of H5; 11 solved for, 2 simulated again, 3 more of H6
  EXPECT_EQ(fitted, 8u);
}

// papers/oddl.md 7, item 7: to 0.02. Ring at 50 Gb/s: 2046 (1 us + 89.8 us) = 185.76 ms; 93.90 + 59.2 = 153.1; 244.96/153.1 = 1.60.
// SiP-Ring at 50 Gb/s x 300/325: 183.71 · 325/300 + 2.05 + 0.025 = 201.1; 260.3/153.1 = 1.70.
TEST(OddlStudy, H6GivesBothRatios) {
  const Told ours{preset_ratios, preset_times};
  for (const char* name : {"H6", "H1", "H1'"}) {
    EXPECT_NEAR(ours(std::string(name) + ": ODDL over fat-tree"), 1.60, name == std::string("H6") ? 0.02 : 0.005)
        << name;
    EXPECT_NEAR(ours(std::string(name) + ": ODDL over SiP-Ring"), 1.70, name == std::string("H6") ? 0.02 : 0.005)
        << name;
    EXPECT_FALSE(ours.row(std::string(name) + ": ODDL over fat-tree").predicted());
    EXPECT_FALSE(ours.row(std::string(name) + ": ODDL over SiP-Ring").predicted());
  }
  EXPECT_EQ(ours.row("H6: ODDL over fat-tree").label(), "calibrated");
  EXPECT_EQ(ours.row("H1: ODDL over fat-tree").label(), "calibrated");
  EXPECT_NEAR(ours("H6: iteration on ODDL (ms)"), 153.1, 0.05);
  EXPECT_NEAR(ours("H6: iteration on fat-tree (ms)"), 244.96, 0.05);
  EXPECT_NEAR(ours("H6: iteration on SiP-Ring (ms)"), 260.3, 0.05);
  // One flow on each uplink of a rack, so 2:1 halves the rate of the ring
  EXPECT_NEAR(ours("H6: iteration on an ideal switch at half rate instead of the tree (ms)"), 244.96, 0.05);
}

// papers/oddl.md 6, to half a unit of its last digit where nothing is random.
TEST(OddlStudy, PresetsGiveWhatTheSpecDerives) {
  const Told ours{preset_ratios, preset_times};
  for (const Preset& preset : presets()) {
    const bool dice = preset.tree >= Tree::kShuffledRacks;
    EXPECT_NEAR(ours(preset.name + ": iteration on ODDL (ms)"), preset.expected.oddl, 0.5) << preset.name;
    EXPECT_NEAR(ours(preset.name + ": iteration on SiP-Ring (ms)"), preset.expected.sip, 0.5) << preset.name;
    EXPECT_NEAR(ours(preset.name + ": ODDL over SiP-Ring"), preset.expected_over_sip, 0.0055) << preset.name;
    // ECMP throws other dice than the spec's prototype did: 20 trials of 1/5, 1/6 or 1/7 (1/2 or 1/3) leave some 5 %
    EXPECT_NEAR(ours(preset.name + ": iteration on fat-tree (ms)"), preset.expected.tree,
                dice ? 0.07 * preset.expected.tree : 0.55)
        << preset.name;
    if (dice) {
      EXPECT_NEAR(ours(preset.name + ": iteration on fat-tree, mean of simulated all-reduces (ms)"),
                  preset.expected.tree, 0.1 * preset.expected.tree);
    }
    // What was rejected says so, and why
    const auto& assumptions = ours.row(preset.name + ": ODDL over fat-tree").assumptions;
    EXPECT_NE(assumptions.back().text.find(preset.judgement), std::string::npos);
    EXPECT_EQ(preset.judgement.starts_with("rejected"), preset.name.starts_with("H3") || preset.name.starts_with("H4"));
  }
  EXPECT_TRUE(ours.row("H3 2:1: ODDL over SiP-Ring").predicted());
  EXPECT_FALSE(ours.row("H3 2:1: ODDL over fat-tree").predicted());
  EXPECT_TRUE(ours.row("H4 far: ODDL over fat-tree").predicted());
  EXPECT_FALSE(ours.row("H4 far: ODDL over SiP-Ring").predicted());
}

// H1: (c + 185.76)/(c + 93.904) = 1.7 gives c = 37.32 ms; 1.6 · 131.22 - 37.32 = 172.63 = 2.046 + 91.857/share, share 0.5385.
// H1' is solved likewise (75.1, papers/oddl.md 6). H6: (c + 185.76)/(c + 93.904) = 1.6 gives c = 59.19 ms.
TEST(OddlStudy, WhatWasSolvedForIsFoundAgain) {
  const Told ours{preset_times};
  EXPECT_NEAR(ours("H1: compute solved for (ms)"), 37.32, 0.005);
  EXPECT_NEAR(ours("H1: tree's share of line rate solved for"), 0.5385, 1e-4);
  EXPECT_NEAR(ours("H1': compute solved for (ms)"), 75.1, 0.05);
  EXPECT_NEAR(ours("H1': tree's share of line rate solved for"), 0.54, 0.005);
  EXPECT_NEAR(ours("H6: compute solved for (ms)"), 59.19, 0.005);
  EXPECT_NEAR(ours("H6: SiP-Ring's interval solved for (us)"), 300, 1);
  EXPECT_NEAR(ours("H3 3:1: compute solved for (ms)"), 212, 0.5);
  EXPECT_NEAR(ours("H3 4:1: compute solved for (ms)"), 365, 0.5);
  EXPECT_NEAR(ours("H4 near: compute solved for (ms)"), 42.2, 0.05);
}

// Per layer: 19 · 20 (1 + 0.84) us + 91.86 = 92.56 ms; (1.6 · 92.56 - 91.86) / (19 · 2046) = 1.45 us; the others likewise.
TEST(OddlStudy, LatencyAloneWouldNeedTheseSteps) {
  const Told ours{latency_only};
  const auto step = [&](const char* where, const char* set) {
    return ours(std::string("H2: step on ") + where + " solved for (us), " + set);
  };
  EXPECT_NEAR(step("the tree", "per layer, compute 0 ms"), 1.45, 0.0055);
  EXPECT_NEAR(step("SiP-Ring", "per layer, compute 0 ms"), 1.68, 0.0055);
  EXPECT_NEAR(step("the tree", "per layer, compute 100 ms"), 2.99, 0.0055);
  EXPECT_NEAR(step("SiP-Ring", "per layer, compute 100 ms"), 3.49, 0.0055);
  EXPECT_NEAR(step("the tree", "fused, compute 0 ms"), 27, 0.55);
  EXPECT_NEAR(step("SiP-Ring", "fused, compute 0 ms"), 32, 0.55);  // 31.46
  EXPECT_NEAR(step("the tree", "fused, compute 100 ms"), 56, 0.55);
  EXPECT_NEAR(step("SiP-Ring", "fused, compute 100 ms"), 66, 0.55);
  // And the product with these steps gives the ratios
  for (const report::Row& row : ours.rows())
    if (row.quantity.starts_with("H2: ODDL over")) {
      EXPECT_LT(row.within(), 1e-4) << row.quantity;
      EXPECT_FALSE(row.predicted());
      EXPECT_EQ(row.label(), "calibrated");
    }
}

// papers/oddl.md 6.
TEST(OddlStudy, FortyTwoSetsFit) {
  const GridCount count = count_grid();
  EXPECT_EQ(count.sets, 11520);
  EXPECT_EQ(count.fit, 42);
  EXPECT_EQ(count.half_sip_ring, 41);
  EXPECT_EQ(count.three_quarter_tree, 27);
  EXPECT_EQ(count.half_tree, 14);
  EXPECT_EQ(count.full_tree + count.third_tree, 1);
}

// (59.2 + 91.86 + 2046 · 3 us) / (59.2 + 91.89) = 157.2/151.09; (59.2 + 93.90) / 151.09.
TEST(OddlStudy, LittleIsLeftOverBaselinesUsedWell) {
  const Told ours{sensitivity};
  EXPECT_NEAR(ours("sensitivity: ODDL over a fat-tree with a topology-aware ring"), 1.0404, 5e-4);
  EXPECT_NEAR(ours("sensitivity: ODDL over SiP-Ring with a bidirectional ring and no dark time"), 1.0133, 5e-4);
  EXPECT_NEAR(ours("sensitivity: ODDL's ring over a fat-tree with a topology-aware ring"), 1.0267, 5e-4);
  EXPECT_NEAR(ours("sensitivity: ODDL's ring over SiP-Ring with a bidirectional ring and no dark time"), 1, 1e-4);
}

// 32/190 s + 68.968 ms = 237.389 ms; four set-ups of 0.167 us + tuning + 0.12 us. Simulated: the two middle steps share circuits.
TEST(OddlStudy, FourNodesAreComparable) {
  const Told ours{four_nodes};
  const std::string name = "four nodes: ODDL over ideal switch, tuning ";
  EXPECT_NEAR(ours(name + "0.1 us"), 1.0000, 5e-5);
  EXPECT_NEAR(ours(name + "10 us"), 1.0002, 5e-5);
  EXPECT_NEAR(ours(name + "1 ms"), 1.017, 5e-4);
  EXPECT_NEAR(ours(name + "0.1 us, simulated"), 1.0000, 5e-5);
  EXPECT_NEAR(ours(name + "10 us, simulated"), 1 + 3 * 10.12e-6 / 0.237389, 5e-6);
  EXPECT_NEAR(ours(name + "1 ms, simulated"), 1 + 3 * 1.00012e-3 / 0.237389, 5e-6);
  EXPECT_NEAR(ours(name + "1 ms, simulated, no circuit held"), 1 + 4 * 1.00012e-3 / 0.237389, 5e-6);
}

// papers/oddl.md 2.2, 2.3, 2.6, 4.3, 6, 7.
TEST(OddlStudy, TheModelPassesItsAcceptance) {
  const Told ours{[](Runs&) { return workload_rows(); }, collectives, slices, set_up,
                  [](Runs&) { return link_budget(); }};
  EXPECT_EQ(ours("VGG19: parameters"), 143667240);
  EXPECT_EQ(4 * ours("VGG19: parameters"), kGradient);
  EXPECT_NEAR(ours("VGG19: multiply-adds of forward (G per image)"), 19.63, 0.005);
  const auto all_reduce = [&](const std::string& what) { return ours("all-reduce of VGG19, " + what + " (ms)"); };
  EXPECT_NEAR(all_reduce("bound by bytes alone"), 91.86, 0.005);
  for (const char* kind : {"", ", formula"}) {
    EXPECT_NEAR(all_reduce(std::string("ring") + kind), 93.90, 0.005);
    EXPECT_NEAR(all_reduce(std::string("halving/doubling") + kind), 91.89, 0.005);
    EXPECT_NEAR(all_reduce(std::string("2-D") + kind), 91.94, 0.005);
  }
  EXPECT_NEAR(all_reduce("halving/doubling, nobody asks"), 91.88, 0.005);
  for (const char* algorithm : {"ring", "halving-doubling", "two-level"})  // item 2: to 0.1 %
    EXPECT_NEAR(all_reduce(std::string(algorithm) + ", no step cost and no set-up"), 91.857, 0.0919);

  struct Line {
    const char* collective;
    int channels, planes;
  };
  for (const Line& line :
       {Line{"ring", 32, 1}, {"2-D", 64, 1}, {"halving/doubling", 192, 2}, {"any-to-any", 1024, 11}}) {
    EXPECT_EQ(ours(std::string("slice of ") + line.collective + ": channels"), line.channels);
    EXPECT_EQ(ours(std::string("slice of ") + line.collective + ": planes"), line.planes);
  }

  // 2 (51.2 + 250) + 15 ns; 220 ns dark
  EXPECT_NEAR(ours("control: request to grant (us)"), 0.6174, 1e-6);
  EXPECT_NEAR(ours("control: set-up of a lone flow (us)"), 0.8374, 1e-4);
  EXPECT_NEAR(ours("control: set-up of the next flow, with lookahead (us)"), 0.22, 1e-4);

  EXPECT_NEAR(ours("link budget: received, amplifiers unsaturated (dBm)"), 0.4, 0.05);
  EXPECT_NEAR(ours("link budget: OSNR, amplifiers unsaturated (dB)"), 38.1, 0.055);
  EXPECT_NEAR(ours("link budget: received, amplifiers limited to 23 dBm (dBm)"), -2.1, 0.05);
  EXPECT_NEAR(ours("link budget: received without amplification (dBm)"), -39.6, 0.05);
}

// papers/oddl.md 3.2 and 7, item 3. Far exchanges: 64 flows of a pod throw dice for 64 uplinks, the fullest of some 2,000 links has 5,
// 6 or 7, so that 20 seeds scatter by 0.004 around 0.18; from 8 to 32 there are no cores, and 4 to 6 meet.
TEST(OddlStudy, WhatEcmpLeaves) {
  const Told ours{tree_shares};
  const auto share = [&](const std::string& what) { return ours("ECMP tree, " + what + ": share of line rate"); };
  EXPECT_NEAR(share("ring in host order"), 1, 1e-9);
  EXPECT_NEAR(share("ring, racks shuffled"), 0.45, 0.04);
  EXPECT_GE(share("ring of random ranks"), 0.165);
  EXPECT_LE(share("ring of random ranks"), 0.185);
  for (int distance = 1; distance < 8; distance *= 2)
    EXPECT_NEAR(share("halving/doubling at distance " + std::to_string(distance)), 1, 1e-9);
  for (int distance = 8; distance < 1024; distance *= 2) {
    EXPECT_GE(share("halving/doubling at distance " + std::to_string(distance)), 0.165) << distance;
    EXPECT_LE(share("halving/doubling at distance " + std::to_string(distance)), 0.225) << distance;
  }
}

// VGG19 backwards by 25 MB: fc8 16.4 MB; fc7 67.1; fc6 411; conv5 and conv4 in pairs of 9.44; the rest, 23.5 MB.
TEST(OddlStudy, BucketsAreFilledInBackwardOrder) {
  const Buckets& capped = buckets(Bucketing::k25MB);
  ASSERT_EQ(capped.size(), 7u);
  EXPECT_EQ(capped[0].bytes, 4.0 * 4097000);
  EXPECT_EQ(capped[2].bytes, 4.0 * 102764544);
  EXPECT_EQ(capped[3].bytes, 8.0 * 2359808);
  EXPECT_EQ(capped.back().ready, 1);
  EXPECT_EQ(buckets(Bucketing::kPerLayer).size(), 19u);  // 16 convolutions, 3 dense
  ASSERT_EQ(buckets(Bucketing::kFused).size(), 1u);
  EXPECT_EQ(buckets(Bucketing::kFused).front().bytes, kGradient);
}

// Fused and free: compute alone. Fused gradients leave when backward ends, so overlap changes nothing.
TEST(OddlStudy, AnIterationIsComputeAndWhatItDoesNotHide) {
  const Cost second = [](double) { return 1.0; }, nothing = [](double) { return 0.0; };
  EXPECT_EQ(iteration(3, Bucketing::k25MB, true, nothing), 3);
  EXPECT_NEAR(iteration(3, Bucketing::kFused, false, second), 4, 1e-12);
  EXPECT_NEAR(iteration(3, Bucketing::kFused, true, second), 4, 1e-12);
  EXPECT_NEAR(iteration(3, Bucketing::k25MB, false, second), 10, 1e-12);
  // The first bucket is ready when fc8 is, 0.02 % into the 2 s of backward, and all seven follow without a gap
  EXPECT_NEAR(iteration(3, Bucketing::k25MB, true, second), 8 + 2 * 0.008192 / 39.2641, 1e-6);
}

// Jobs that come and go. ODDL's rings have their full rate and nobody else, so they take what the log says. A sprayed tree on which jobs stand
// together is nearly ideal; by hash, and with jobs anywhere, flows meet. SiP-Ring has half of its wavelengths one way and is dark a fifth of the
// time: 1 at least where compute hides it, and 1 / (0.5 · 0.8) = 2.5 where nothing does.
TEST(OddlStudy, RatiosOverJobsOfALog) {
  const LoggedJobs jobs = run_logged_jobs("");
  EXPECT_EQ(jobs.stream.jobs.size(), static_cast<std::size_t>(kGeneratedJobs));
  EXPECT_NEAR(jobs.stream.offered(), kGeneratedLoad, 1e-9);
  EXPECT_NEAR(jobs.oddl().slowdown, 1, 0.001);
  EXPECT_EQ(jobs.oddl().shared, 0);
  EXPECT_NEAR(jobs.on("rings patched for each job").slowdown, 1, 0.001);
  EXPECT_LT(jobs.on("fat-tree 4:1, jobs near, sprayed").slowdown, 1.02);
  EXPECT_LT(jobs.on("fat-tree, jobs near").slowdown, jobs.on("fat-tree, jobs anywhere").slowdown);
  EXPECT_LT(jobs.on("fat-tree, jobs anywhere").slowdown, jobs.on("fat-tree 4:1, jobs anywhere").slowdown);
  EXPECT_GT(jobs.on("SiP-Ring").slowdown, 1);
  EXPECT_LT(jobs.on("SiP-Ring").slowdown, 2.5);
  for (const report::Row& row : jobs_of_a_log(jobs)) {
    EXPECT_EQ(row.label(), "ours") << row.quantity;
    EXPECT_TRUE(row.predicted()) << row.quantity;
  }
  EXPECT_THROW(run_logged_jobs("/no/such/log.csv"), Error);
}

}  // namespace
}  // namespace helio::studies::oddl_study
