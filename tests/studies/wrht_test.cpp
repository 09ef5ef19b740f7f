// SPDX-License-Identifier: Apache-2.0
#include "studies/wrht/wrht.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "studies/wrht/assumption.h"
#include "studies/wrht/chapters.h"
#include "studies/wrht/closed_forms.h"

namespace helio::studies::wrht_study {
namespace {

const report::Row& find(const Rows& rows, const std::string& quantity) {
  const auto row = std::ranges::find(rows, quantity, &report::Row::quantity);
  if (row == rows.end()) throw std::runtime_error("no row " + quantity);
  return *row;
}

// Three numbers of papers/wrht.md, given to so many digits after the point: ours differ by half a unit of the last at most.
void expect_saved(const Rows& rows, const std::string& paper, const std::string& reading,
                  const std::vector<const char*>& against, const std::vector<double>& percent, int digits) {
  for (std::size_t i = 0; i < percent.size(); ++i) {
    const report::Row& row = find(rows, fmt::format("{}: saved against {} (%), {}", paper, against[i], reading));
    EXPECT_NEAR(row.ours, percent[i], 0.5001 * std::pow(10, -digits)) << row.quantity;
  }
}

// Made once: rings of 4096 nodes take their time.
const Rows& optical_rows() {
  static const Rows rows = [] {
    Runs runs({});
    return against_optical(runs);
  }();
  return rows;
}

// A step of a lightpath costs payload / B + a: theta of d, 2(N-1) of d/N, 2 ceil(log2 N) of d; doubling in sub-rounds.
TEST(WrhtStudy, TheEngineAgreesWithTheClosedForms) {
  Runs runs({});
  for (const std::uint64_t n : {128, 1024, 3072})
    for (const double rate : {kLiteralRate, kFittedRate})
      for (const Model& model : {kBeit, kGooglenet}) {
        const double d = model.bytes;
        const auto expect = [&](const Question& question, double seconds) {
          EXPECT_NEAR(runs(question).seconds, seconds, 1e-9 * seconds) << question.algorithm << " on " << n;
        };
        for (const bool with : {true, false})
          expect({.nodes = n, .bytes = d, .rate = rate, .shortcut = with},
                 wrht_seconds(wrht_theta(n, 64, 129, with), d, rate));
        expect({.algorithm = "ring", .nodes = n, .bytes = d, .rate = rate}, ring_seconds(n, d, rate));
        expect({.algorithm = "binary-tree", .nodes = n, .bytes = d, .rate = rate}, binary_tree_seconds(n, d, rate));
        if (n <= 1024)
          expect({.algorithm = "recursive-doubling", .nodes = n, .bytes = d, .rate = rate},
                 doubling_seconds(n, 64, d, rate));
      }
}

// Ring and BT light one wavelength, so the study asks for one.
TEST(WrhtStudy, DarkWavelengthsChangeNothing) {
  Runs runs({});
  for (const char* algorithm : {"ring", "binary-tree"})
    for (const bool every_step : {true, false}) {
      const Answer one = runs({.algorithm = algorithm, .wavelengths = 1, .every_step = every_step});
      const Answer many = runs({.algorithm = algorithm, .every_step = every_step});
      EXPECT_EQ(one.seconds, many.seconds) << algorithm;
      EXPECT_EQ(one.steps, many.steps) << algorithm;
      EXPECT_EQ(many.wavelengths, 1) << algorithm;
    }
}

// papers/wrht.md 5 and 6.5.
TEST(WrhtStudy, OpticalSavingsAreThoseOfTheSpec) {
  const Rows& rows = optical_rows();
  const std::vector<const char*> three = {"Ring", "H-Ring", "BT"};
  expect_saved(rows, "v2", "literal", three, {6.25, 38.72, 84.51}, 2);
  expect_saved(rows, "v2", "literal rate, GoogLeNet set", {"H-Ring", "BT"}, {46.22, 84.51}, 2);
  // Printed as 36.84 there; the closed forms give 36.84506 as well, so that digit was cut, not rounded
  expect_saved(rows, "v2", "literal rate, GoogLeNet set", {"Ring"}, {36.845}, 3);
  expect_saved(rows, "v2", "literal rate, 4 steps", three, {-9.71, 29.62, 82.12}, 2);
  expect_saved(rows, "v2", "literal rate, 4 steps, GoogLeNet set", three, {25.45, 37.93, 82.12}, 2);
  expect_saved(rows, "v2", "40 GB/s, GoogLeNet set", three, {84.23, 69.72, 84.51}, 2);
  expect_saved(rows, "v2", "40 GB/s, 4 steps", three, {63.7, 50.7, 82.1}, 1);
  expect_saved(rows, "v2", "fitted", three, {80.96, 64.46, 82.12}, 2);
  expect_saved(rows, "v2", "fitted", {"BT"}, {82.121}, 3);
  expect_saved(rows, "v2", "calibrated", three, {80.810, 64.323, 82.121}, 3);
  expect_saved(rows, "v2", "calibrated, BEiT-L set", three, {80.81, 63.17, 82.12}, 2);
  expect_saved(rows, "v1", "nearest", three, {75.59, 48.7, 70.0}, 1);
  EXPECT_NEAR(find(rows, "conference: saved, optical (%), mean of v2's three").ours, 75.763, 0.0005);
}

// The same savings where only new lightpaths are retuned: one retune for Ring, three for H-Ring, one a step for BT and WRHT.
// Here from the bytes and the retunes of each, without schedules.
TEST(WrhtStudy, UnderTheChangedRuleRingBeatsWrht) {
  const Rows& rows = optical_rows();
  const std::vector<Model> beit = {kBeit, kVgg, kAlexnet, kResnet}, googlenet = {kVgg, kAlexnet, kResnet, kGooglenet};
  struct Twin {
    const char* reading;
    double rate;
    bool shortcut;
    std::vector<Model> models;
  };
  for (const Twin& twin : {Twin{"literal", kLiteralRate, true, beit},
                           {"literal rate, GoogLeNet set", kLiteralRate, true, googlenet},
                           {"literal rate, 4 steps", kLiteralRate, false, beit},
                           {"literal rate, 4 steps, GoogLeNet set", kLiteralRate, false, googlenet},
                           {"40 GB/s, GoogLeNet set", kFittedRate, true, googlenet},
                           {"40 GB/s, 4 steps", kFittedRate, false, beit},
                           {"fitted", kFittedRate, false, googlenet}}) {
    double ring = 0, h_ring = 0, tree = 0;
    for (const std::uint64_t nodes : {1024, 2048, 3072, 4096})
      for (const Model& model : twin.models) {
        const double n = static_cast<double>(nodes), once = model.bytes / twin.rate;
        const double wrht = static_cast<double>(wrht_theta(nodes, 64, 129, twin.shortcut)) * (once + kRetune);
        ring += 100. / 16 * (1 - wrht / (2 * (n - 1) / n * once + kRetune));
        h_ring += 100. / 16 * (1 - wrht / ((5.2 - 10 / n) * once + 3 * kRetune));  // 16/5 and 2(N/5-1) 5/N
        tree += 100. / 16 * (1 - wrht / (2 * std::ceil(std::log2(n)) * (once + kRetune)));
      }
    const auto row = [&](const char* baseline) -> const report::Row& {
      const report::Row& published = find(rows, fmt::format("v2: saved against {} (%), {}", baseline, twin.reading));
      const report::Row& beside = (&published)[1];
      EXPECT_EQ(beside.quantity, published.quantity + ", changed rule");
      EXPECT_EQ(beside.label(), "ours");
      EXPECT_EQ(beside.predicted(), published.predicted()) << beside.quantity;
      EXPECT_EQ(beside.published, published.published);
      EXPECT_TRUE(
          beside.assumptions.front().text.starts_with("changed rule; the published accounting charges every step"));
      return beside;
    };
    EXPECT_NEAR(row("Ring").ours, ring, 1e-6) << twin.reading;
    EXPECT_NEAR(row("H-Ring").ours, h_ring, 1e-6) << twin.reading;
    EXPECT_NEAR(row("BT").ours, tree, 1e-6) << twin.reading;
    EXPECT_LT(row("Ring").ours, -75) << twin.reading;
  }
}

TEST(WrhtStudy, TheWeakestAssumptionDecides) {
  const Rows& rows = optical_rows();
  // The machine is from memory, which is weaker than fitted; another accounting is ours, which is weaker still
  for (const report::Row& row : rows) {
    const bool mean = row.quantity.find("mean of v2's") != std::string::npos;
    EXPECT_EQ(row.label(), mean                                                       ? "literal"
                           : row.quantity.find(", changed rule") != std::string::npos ? "ours"
                                                                                      : "recalled")
        << row.quantity;
  }

  // Four steps were chosen to meet v2's BT and nothing else; v1 was met by nothing
  const auto predicted = [&](const char* quantity) { return find(rows, quantity).predicted(); };
  EXPECT_TRUE(predicted("v2: saved against Ring (%), literal"));
  EXPECT_TRUE(predicted("v2: saved against Ring (%), literal rate, 4 steps"));
  EXPECT_FALSE(predicted("v2: saved against BT (%), literal rate, 4 steps"));
  EXPECT_FALSE(predicted("v2: saved against Ring (%), fitted"));
  EXPECT_FALSE(predicted("v2: saved against Ring (%), calibrated"));
  EXPECT_TRUE(predicted("v1: saved against BT (%), fitted"));
  EXPECT_FALSE(predicted("v1: saved against BT (%), nearest"));
  EXPECT_FALSE(predicted("v1: saved against H-Ring (%), nearest"));

  // A mean of published numbers was not run; a reading of v2 that was chosen for one of the three is not predicted beside their mean
  EXPECT_FALSE(predicted("conference: saved, optical (%), mean of v2's three"));
  EXPECT_FALSE(predicted("conference: saved, optical (%), fitted"));
  EXPECT_TRUE(find(rows, "v2: saved against Ring (%), literal").unfitted());
  EXPECT_FALSE(find(rows, "v1: saved against BT (%), fitted").unfitted());
}

TEST(WrhtStudy, ElectricalPairIsOnlyRestated) {
  Runs runs({});
  const Rows rows = against_electrical(runs);
  // 1/4.6 and 108 us, 1/3.45 and 81 us are given to so many digits; the savings move by 0.02 points within them
  for (const char* pair : {"calibrated pair, 4 steps", "calibrated pair, 3 steps"}) {
    EXPECT_NEAR(find(rows, fmt::format("v2: saved against E-Ring (%), {}", pair)).ours, 92.42, 0.02);
    EXPECT_NEAR(find(rows, fmt::format("v2: saved against RD (%), {}", pair)).ours, 91.31, 0.02);
  }
  for (const report::Row& row : rows) {
    const bool used = row.quantity.find("calibrated pair") != std::string::npos ||
                      row.quantity.find("mean of v2's two") != std::string::npos;  // of which nothing was run
    EXPECT_EQ(row.predicted(), !used) << row.quantity;
  }
  EXPECT_NEAR(find(rows, "conference: saved, electrical (%), mean of v2's two").ours, 91.865, 1e-9);
}

TEST(WrhtStudy, RingOvertakesDoublingWhereTheSpecSays) {
  Runs runs({});
  const Rows rows = comparison(runs);
  EXPECT_NEAR(find(rows, "comparison: optical Ring equals RD at (MB), literal").ours, 13, 0.5);
  EXPECT_NEAR(find(rows, "comparison: optical Ring equals RD at (MB), 40 GB/s").ours, 107, 0.5);
  EXPECT_EQ(find(rows, "comparison: optical Ring beats RD above (MB), 40 GB/s").ours, 64);
}

// papers/wrht.md 7.2.
TEST(WrhtStudy, OpTreeSavingsAreThoseOfTheSpec) {
  Runs runs({});
  const Rows rows = optree(runs);
  const std::vector<const char*> three = {"Wrht", "Ring", "NE"};
  expect_saved(rows, "OpTree OJ-COMS, N = 1024", "formula", three, {72.973, 93.157, 86.328}, 3);
  expect_saved(rows, "OpTree OJ-COMS, over N", "formula", three, {42.375, 92.755, 85.522}, 3);
  expect_saved(rows, "OpTree OJ-COMS, over N", "156 steps at 2048", three, {42.278, 92.743, 85.498}, 3);
  EXPECT_EQ(find(rows, "OpTree OJ-COMS, N = 1024: saved against Ring (%), formula").label(), "recalled");
  EXPECT_TRUE(find(rows, "OpTree OJ-COMS, N = 1024: saved against Ring (%), formula").unfitted());
  EXPECT_FALSE(find(rows, "OpTree OJ-COMS, N = 1024: saved against Wrht (%), formula").predicted());
}

// Counts are met exactly, times and payloads to the digits in which papers/wrht.md prints them, closed forms to 1e-9.
TEST(WrhtStudy, WhatTheSpecDerivesIsMet) {
  Runs runs({});
  const auto expect_met = [](const Rows& rows, double difference) {
    ASSERT_FALSE(rows.empty());
    for (const report::Row& row : rows) EXPECT_LE(std::abs(row.ours - row.beside()), difference) << row.quantity;
  };
  expect_met(step_tables(runs), 0);
  expect_met(schedule_checks(runs), 0);
  expect_met(times(runs), 0.5001e-4);
  expect_met(break_even(runs), 0.5001);
  for (const auto chapter : {retune_rules, striping, endpoints, sweeps})
    for (const report::Row& row : chapter(runs)) EXPECT_LT(row.within(), 1e-9) << row.quantity;
}

// papers/wrht.md 6.6, whose whole numbers are ratios of rounded times (190 for 189.48), and 7.1.
TEST(WrhtStudy, ThePlannedScheduleBeatsWrhtAsOftenAsAsked) {
  Runs runs({});
  const Rows rows = planned(runs);
  ASSERT_EQ(rows.size(), 45u);
  constexpr double kAtLeast[] = {140, 45, 20, 170, 70, 40, 180, 80, 55, 180, 105, 70, 180, 135, 80};
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_GE(rows[i].ours, kAtLeast[i]) << rows[i].quantity;
    EXPECT_NEAR(rows[i].ours, rows[i].beside(), 0.55) << rows[i].quantity;
    EXPECT_EQ(rows[i].label(), "ours");
  }
  for (std::size_t i = 15; i < 30; ++i) {
    EXPECT_GT(rows[i].ours, 2) << rows[i].quantity;
    EXPECT_LT(rows[i].ours, rows[i - 15].ours / 8) << rows[i].quantity;
    EXPECT_LT(rows[i].within(), 1e-9) << rows[i].quantity;
    EXPECT_EQ(rows[i].label(), "ours");
  }
  // What closes physically is as fast where steps are free (paths of one hop), never faster, and slower where its short strides take more steps:
  // 3 (249.2 MB/5 GB/s + 26 us) over the 1.665072 ms of 8x128 (plan/wdm_planned_test).
  for (std::size_t i = 30; i < 45; ++i) {
    EXPECT_LE(rows[i].ours, rows[i - 30].ours * (1 + 1e-9)) << rows[i].quantity;
    if (i % 3 == 0) {
      EXPECT_NEAR(rows[i].ours, rows[i - 30].ours, 1e-9 * rows[i].ours) << rows[i].quantity;
    }
    EXPECT_LT(rows[i].within(), 1e-9) << rows[i].quantity;
    EXPECT_EQ(rows[i].label(), "ours");
  }
  EXPECT_NEAR(rows[37].ours, 3 * (249.2e6 / 5e9 + 26e-6) / 1.665072e-3, 1e-3) << rows[37].quantity;
  // 14(d/(64B)+a+s) over the 0.1099 and 0.6734 ms of the plan
  const auto at_its_best = [&](const char* where) {
    return find(rows, fmt::format("wdm-planned against WRHT at its own best group and stripe, times faster, {}", where))
        .ours;
  };
  EXPECT_NEAR(at_its_best("27.19 MB, 0 us a step"), 14.01, 0.005);
  EXPECT_NEAR(at_its_best("27.19 MB, 10 us a step"), 2.494, 0.0005);
}

// Crossings are solved from two runs each; here they are asked.
TEST(WrhtStudy, AtTheBreakEvenPayloadBothTakeEquallyLong) {
  Runs runs({});
  Question wrht, ring{.algorithm = "ring"};
  wrht.bytes = ring.bytes = crossing(runs, wrht, ring);
  EXPECT_NEAR(runs(wrht).seconds, runs(ring).seconds, 1e-9 * runs(ring).seconds);
}

// Retuned only when its lightpaths change, a ring of one wavelength is faster than WRHT at every size (papers/wrht.md 2.5);
// retuned in every step, only above 255 MB.
TEST(WrhtStudy, TheRetuneRuleDecidesWhoWins) {
  Runs runs({});
  for (const report::Row& row : retune_rules(runs)) {
    const bool changed = row.quantity.ends_with("changed"),
               large = row.quantity.find("552") != std::string::npos || row.quantity.find("1228") != std::string::npos;
    EXPECT_EQ(row.ours > 1, changed || large) << row.quantity;
  }
}

void expect_drawable(const std::vector<report::Chart>& charts) {
  std::set<std::string> names;
  for (const report::Chart& chart : charts) {
    EXPECT_TRUE(report::is_name(chart.name) && names.insert(chart.name).second) << chart.name;
    EXPECT_FALSE(chart.x_label.empty() || chart.y_label.empty()) << chart.name;
    for (const report::Series& series : chart.series) {
      EXPECT_FALSE(series.points.empty()) << chart.name << ", " << series.name;
      for (const auto& [x, y] : series.points)
        EXPECT_TRUE(std::isfinite(y) && (!chart.log_y || y > 0) && (!chart.log_x || x > 0)) << chart.name;
    }
  }

  // 1024 nodes, 249.2 MB: WRHT 3 (49.84 + 0.025) ms = 149.595 (papers/wrht.md 6.4); planned 0.803 ms when changed (6.6)
  const report::Chart& over_nodes = charts.front();
  const auto at_1024 = [&](const char* name) {
    const auto series = std::ranges::find(over_nodes.series, name, &report::Series::name);
    return std::ranges::find(series->points, 1024., &std::pair<double, double>::first)->second;
  };
  EXPECT_NEAR(at_1024("WRHT, either rule"), 149.595, 1e-6);
  EXPECT_LE(at_1024("wdm-planned, retuned when changed"), 0.8035);
}

TEST(WrhtStudy, EveryPublishedNumberHasRowsAndEveryRowItsReasons) {
  const Findings found = reproduce("wrht");
  const Rows& rows = found.rows;
  for (const double published : {80.81, 64.36,  82.12, 92.42, 91.31,         // v2
                                 75.59, 49.25,  70.1,  86.69, 84.71,         // v1
                                 75.76, 91.86,                               // conference
                                 72.21, 94.30,  88.58,                       // OpTree, arXiv
                                 72.97, 93.15,  86.32, 42.27, 92.74, 85.49,  // OpTree, OJ-COMS
                                 64.0,  1024.0, 75.0})                       // comparison
    EXPECT_TRUE(std::ranges::any_of(rows, [&](const report::Row& r) { return r.published == published; })) << published;
  std::set<std::string> seen;
  for (const report::Row& row : rows) {
    EXPECT_EQ(row.study, "wrht");
    EXPECT_TRUE(seen.insert(row.quantity).second) << row.quantity;
    EXPECT_TRUE(std::isfinite(row.ours) && std::isfinite(row.beside())) << row.quantity;
    EXPECT_FALSE(row.source.empty() || row.assumptions.empty()) << row.quantity;
  }
  expect_drawable(found.charts);
}

// The charts draw WRHT and the binary tree once, because every step of theirs has new lightpaths.
TEST(WrhtStudy, WrhtAndTheTreePayTheSameUnderBothRules) {
  Runs runs({});
  for (const char* algorithm : {"wrht", "binary-tree"})
    for (const std::uint64_t nodes : {128, 1024, 3072}) {
      Question question{.algorithm = algorithm, .nodes = nodes};
      const double every_step = runs(question).seconds;
      question.every_step = false;
      EXPECT_DOUBLE_EQ(runs(question).seconds, every_step) << algorithm << " " << nodes;
    }
}

// A rate that was chosen for v2 makes a row fitted wherever it is used, and unpredicted only beside the numbers it was chosen for. Whoever
// reads such a row is told for which.
TEST(WrhtStudy, AFittedRowIsPredictedBesideOtherNumbersThanItsOwn) {
  const report::Row own = published_row("q", kV2Ring, 81, {fitted_rate()}, "x");
  const report::Row other = published_row("q", kV1Ring, 60, {fitted_rate()}, "x");
  EXPECT_EQ(own.label(), "fitted");
  EXPECT_EQ(other.label(), "fitted");
  EXPECT_FALSE(own.predicted());
  EXPECT_TRUE(other.predicted());
  for (const Assumption& fitted : {fitted_rate(), no_shortcut(), h_ring_split()}) {
    EXPECT_FALSE(fitted.uses.empty()) << fitted.text;
    EXPECT_NE(fitted.text.find("chosen to meet v2's saving"), std::string::npos) << fitted.text;
  }
}

// Ours are told apart by what was fitted, those under the other accounting apart; those that were published stand on the diagonal, each once. Other
// rows are not drawn.
TEST(WrhtStudy, PublishedSavingsAreHollowPointsOnTheDiagonal) {
  const Rows rows = {published_row("v2: saved against Ring (%), literal", 80, 20, {{"a"}}, "x"),
                     published_row("v1: saved against Ring (%), fitted", 80, 70, {fitted_to({81}, "a")}, "x"),
                     published_row("v2: saved against Ring (%), fitted", 80, 81, {fitted_to({80}, "a")}, "x"),
                     published_row("v2: saved against Ring (%), fitted, changed rule", 80, -101, {{"a"}}, "x"),
                     published_row("Ring beats RD above (MB)", 64, 64, {{"a"}}, "x"),
                     derived_row("saved against Ring (%)", 50, 50, {{"a"}}, "x")};
  const report::Chart chart = savings_chart(rows);
  using Points = std::vector<std::pair<double, double>>;
  ASSERT_EQ(chart.series.size(), 5u);
  EXPECT_EQ(chart.series[0].points, (Points{{80, 20}}));  // nothing fitted
  EXPECT_EQ(chart.series[1].points, (Points{{80, 70}}));  // to another number
  EXPECT_EQ(chart.series[2].points, (Points{{80, 81}}));  // to this one
  EXPECT_EQ(chart.series[3].points, (Points{{80, -101}}));
  EXPECT_NE(chart.series[3].name.find("when changed"), std::string::npos);
  EXPECT_EQ(chart.series[4].points, (Points{{80, 80}}));
  for (const report::Series& series : chart.series) EXPECT_EQ(series.published, &series == &chart.series.back());
}

// The electrical baselines again, by the simulator that the paper is recalled to have used. Skipped where it was not built.
TEST(WrhtStudy, SimgridAgreesOnTheElectricalBaselines) {
  const auto beside =
      std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "apps" / "helio-simgrid";
  if (!std::filesystem::exists(beside)) GTEST_SKIP() << "helio-simgrid is not here";
  setenv("HELIO_SIMGRID", beside.c_str(), 1);
  Runs runs({});
  for (const char* algorithm : {"ring", "recursive-doubling"}) {
    Question question = on_fat_tree(algorithm, 128, kGooglenet.bytes);
    const double ours = runs(question).seconds;
    question.engine = "simgrid";
    EXPECT_NEAR(runs(question).seconds, ours, 1e-9 * ours) << algorithm;
  }
  unsetenv("HELIO_SIMGRID");
}

}  // namespace
}  // namespace helio::studies::wrht_study
