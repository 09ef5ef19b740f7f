// SPDX-License-Identifier: Apache-2.0
// Made-up metrics: what a study says of them.
#include "studies/optinc/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <stdexcept>
#include <string>

#include "base/error.h"

namespace helio::studies::optinc_study {
namespace {

// Files of a folder that nobody wrote.
class Folder {
 public:
  // Two epochs, the second with held-out numbers; accuracy is a share.
  Folder& run(const std::string& stem, double accuracy, double epochs = 2, const std::string& more = "") {
    const std::string last = std::to_string(epochs), value = std::to_string(accuracy);
    return file(stem + ".jsonl", R"({"epoch":1,"step":10,"loss":2.5,"rate":0.4,"seconds":1})"
                                 "\n"
                                 R"({"epoch":)" +
                                     last + R"(,"step":20,"loss":1.5,"rate":0.1,"held_out_loss":1.25,"accuracy":)" +
                                     value + more + R"(,"examples_per_s":100,"seconds":2})" + "\n");
  }
  Folder& file(const std::string& name, const std::string& text) {
    const std::string& kept_name = kept_.emplace_back(name);
    const std::string& kept_text = kept_.emplace_back(text);
    files_.push_back({kept_name, kept_text});
    return *this;
  }
  std::vector<TrainingRun> runs() const { return training_runs(files_); }

 private:
  std::deque<std::string> kept_;
  std::vector<TrainingFile> files_;
};

const report::Row* find(const Rows& rows, const std::string& quantity) {
  const auto found = std::ranges::find(rows, quantity, &report::Row::quantity);
  return found == rows.end() ? nullptr : &*found;
}

double told(const Rows& rows, const std::string& quantity) {
  const report::Row* row = find(rows, quantity);
  if (!row) throw std::runtime_error("no row " + quantity);
  return row->ours;
}

std::string refusal(const Folder& folder) {
  try {
    training_rows(folder.runs());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

TEST(Training, NothingWasRunAndNothingIsSaid) {
  const std::vector<TrainingRun> none = training_runs({});
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(training_rows(none).empty());
  EXPECT_TRUE(training_charts(none).empty());
}

// What is committed can be read, whatever it is, and every row of it is told once.
TEST(Training, CommittedMetricsAreRead) {
  const std::vector<TrainingRun> runs = training_runs(training_files());
  EXPECT_EQ(runs.size(), static_cast<std::size_t>(std::ranges::count_if(training_files(), [](const TrainingFile& file) {
              return file.name.ends_with(".jsonl");
            })));
  std::set<std::string> names;
  for (const report::Row& row : training_rows(runs)) EXPECT_TRUE(names.insert(row.quantity).second) << row.quantity;
  for (const report::Chart& chart : training_charts(runs))
    for (const report::Series& series : chart.series) EXPECT_FALSE(series.points.empty()) << chart.name << series.name;
}

TEST(Training, LinesAndResultsBecomeRuns) {
  const std::vector<TrainingRun> runs =
      Folder()
          .run("optinc_s12", 0.5, 2, R"(,"wrong_share":0.01)")
          .file("optinc_s12.json", R"({"finished":true,"command":"helio-train model","device":"cpu"})")
          .run("exact_s2", 0.5)
          .run("exact_s1", 0.25)
          .runs();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].name, "exact");
  EXPECT_EQ(runs[0].seed, 1);
  EXPECT_EQ(runs[1].seed, 2);
  EXPECT_EQ(runs[2].name, "optinc");
  EXPECT_EQ(runs[2].seed, 12);
  EXPECT_EQ(runs[2].command, "helio-train model");
  EXPECT_EQ(runs[2].device, "cpu");
  ASSERT_EQ(runs[2].epochs.size(), 2u);
  EXPECT_EQ(runs[2].epochs[0].loss, 2.5);
  EXPECT_FALSE(runs[2].epochs[0].accuracy.has_value());
  EXPECT_EQ(runs[2].last().accuracy, 0.5);
  EXPECT_EQ(runs[2].last().held_out_loss, 1.25);
  EXPECT_EQ(runs[2].last().wrong_share, 0.01);
  EXPECT_FALSE(runs[0].last().wrong_share.has_value());
}

// Differences 1, -1 and 3 points: mean 1, s = 2, half width 4.302653 · 2/√3 = 4.968276. Seed 4 has no partner. Means of the three pairs: 41
// beside 40.
TEST(Training, PairsGiveAMeanWithItsInterval) {
  Folder folder;
  folder.run("exact_s1", 0.40).run("exact_s2", 0.41).run("exact_s3", 0.39).run("exact_s4", 0.9);
  folder.run("optinc_s1", 0.41).run("optinc_s2", 0.40).run("optinc_s3", 0.42);
  const Rows rows = training_rows(folder.runs());
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_NEAR(told(rows, "final accuracy, optinc - exact, mean of 3 paired seeds (points)"), 1, 1e-9);
  EXPECT_NEAR(told(rows, "final accuracy, optinc - exact, lower end of the 95 % interval (points)"), 1 - 4.968276,
              1e-5);
  EXPECT_NEAR(told(rows, "final accuracy, optinc - exact, upper end of the 95 % interval (points)"), 1 + 4.968276,
              1e-5);
  const report::Row* beside = find(rows, "final accuracy, optinc beside exact, mean of 3 seeds (%)");
  ASSERT_NE(beside, nullptr);
  EXPECT_NEAR(beside->ours, 41, 1e-9);
  EXPECT_NEAR(beside->beside(), 40, 1e-9);
  for (const report::Row& row : rows) {
    EXPECT_EQ(row.label(), "ours");
    EXPECT_FALSE(row.published);  // "comparable" is no number
    EXPECT_TRUE(std::ranges::any_of(row.assumptions, [](const Assumption& one) {
      return one.text.find("Tiny-ImageNet-100 at 32x32, in place of CIFAR-100") != std::string::npos;
    })) << row.quantity;
  }
}

// Each of 16 servers against exact sums of 16, each of 4 against those of 4; a case without its partner is not told.
TEST(Training, SingleSeedsAreComparedWithTheirOwnBaseline) {
  Folder folder;
  folder.run("exact_s1", 0.5)
      .run("optinc_10x_s1", 0.48)
      .run("exact_16_s1", 0.6)
      .run("cascade_s1", 0.61)
      .run("cascade_plain_s2", 0.1);
  const Rows rows = training_rows(folder.runs());
  EXPECT_NEAR(told(rows, "final accuracy, optinc_10x - exact, seed 1 (points)"), -2, 1e-9);
  EXPECT_NEAR(told(rows, "final accuracy, cascade - exact_16, seed 1 (points)"), 1, 1e-9);
  EXPECT_EQ(rows.size(), 4u);  // each beside its baseline, too
}

// Plain PyTorch writes fewer keys, and is not paired: means of 50 and 52 beside 51.5.
TEST(Training, TheBaselineStandsBesidePlainPyTorch) {
  Folder folder;
  folder.run("exact_s1", 0.50).run("exact_s2", 0.52);
  folder.file("plain_pytorch_s7.jsonl", R"({"epoch":2,"loss":1.5,"accuracy":0.515,"seconds":2})");
  const Rows rows = training_rows(folder.runs());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].quantity, "final accuracy, exact, mean of 2 seeds (%)");
  EXPECT_NEAR(rows[0].ours, 51, 1e-9);
  EXPECT_NEAR(rows[0].beside(), 51.5, 1e-9);
}

// Loss 4.04 beside 4: one per cent more.
TEST(Training, LanguageModelsAreJudgedByTheirLoss) {
  const auto line = [](const char* loss) {
    return std::string(R"({"epoch":1,"loss":4.5,"held_out_loss":)") + loss + "}\n";
  };
  Folder folder;
  folder.file("lm_exact_s1.jsonl", line("4.0")).file("lm_optinc_s1.jsonl", line("4.04"));
  const Rows rows = training_rows(folder.runs());
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(told(rows, "held-out loss, lm_optinc over lm_exact less 1, seed 1 (%)"), 1, 1e-9);
  EXPECT_NEAR(told(rows, "held-out loss, lm_optinc beside lm_exact, seed 1 (nats a token)"), 4.04, 1e-12);
  EXPECT_NE(rows[0].assumptions[1].text.find("not the paper's Wikipedia-1B"), std::string::npos);
  EXPECT_TRUE(training_charts(folder.runs()).empty());  // one epoch is no curve

  // A second seed without a difference: half a per cent on average
  folder.file("lm_exact_s2.jsonl", line("4.1")).file("lm_optinc_s2.jsonl", line("4.1"));
  EXPECT_NEAR(
      told(training_rows(folder.runs()), "held-out loss, lm_optinc over lm_exact less 1, mean of 2 paired seeds (%)"),
      0.5, 1e-9);
}

// 252 of 28,561 points are 0.8823 %; two runs were wrong in 1 and 2 % of their last averages.
TEST(Training, WrongAveragesStandBesideThoseOfTheGrid) {
  Folder folder;
  folder.run("optinc_small_s1", 0.5, 2, R"(,"wrong_share":0.01)");
  folder.run("optinc_small_s2", 0.5, 2, R"(,"wrong_share":0.02)");
  const Rows rows = training_rows(folder.runs());
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_NEAR(rows[0].ours, 1.5, 1e-9);
  EXPECT_NEAR(rows[0].beside(), 0.8823, 1e-4);
}

// Two seeds at epochs 1 and 2; accuracy exists after the last only, so loss alone is a curve.
TEST(Training, CurvesAreMeansOfSeeds) {
  Folder folder;
  folder.run("exact_s1", 0.50).run("exact_s3", 0.52).run("quantised_leaning_s3", 0.53).run("optinc_1024_s9", 0.5);
  const std::vector<report::Chart> charts = training_charts(folder.runs());
  ASSERT_EQ(charts.size(), 2u);
  EXPECT_EQ(charts[0].name, "optinc-training-loss");
  ASSERT_EQ(charts[0].series.size(), 2u);
  EXPECT_EQ(charts[0].series[0].name, "exact, mean of 2 seeds");
  EXPECT_EQ(charts[0].series[0].points, (std::vector<std::pair<double, double>>{{1, 2.5}, {2, 1.5}}));
  EXPECT_EQ(charts[0].series[1].name, "quantised_leaning");  // optinc_1024 stands aside
  EXPECT_EQ(charts[1].name, "optinc-training-differences");
  EXPECT_EQ(charts[1].cases, std::vector<std::string>{"seed 3"});
  ASSERT_EQ(charts[1].series.size(), 1u);
  EXPECT_EQ(charts[1].series[0].points[0].first, 1);
  EXPECT_NEAR(charts[1].series[0].points[0].second, 1, 1e-9);
}

// Two seeds of one pair, one of another: only the first is drawn. Cascades have a picture of their own.
TEST(Training, DifferencesOfSeveralSeedsStandAlone) {
  Folder folder;
  folder.run("exact_s1", 0.50).run("exact_s2", 0.52).run("optinc_s1", 0.51).run("optinc_s2", 0.50);
  folder.run("optinc_10x_s1", 0.1).run("cascade_s1", 0.5);
  const std::vector<report::Chart> charts = training_charts(folder.runs());
  const auto found = std::ranges::find(charts, "optinc-training-differences", &report::Chart::name);
  ASSERT_NE(found, charts.end());
  ASSERT_EQ(found->series.size(), 1u);
  EXPECT_EQ(found->series[0].name, "optinc - exact");
  for (const report::Series& series : charts[0].series) EXPECT_NE(series.name, "cascade");
}

// Looks at the accuracy after epochs 3, 6 and 9, 10, 30 and 40 % for one seed, 20, 30 and 60 % for the other: 15, 30, 50. Only one looked after 4.
TEST(Training, AccuracyIsDrawnWhereEverySeedHasIt) {
  const auto line = [](const char* epoch, const char* accuracy) {
    return std::string(R"({"epoch":)") + epoch + R"(,"loss":2,"accuracy":)" + accuracy + "}\n";
  };
  Folder folder;
  folder.file("exact_s1.jsonl", line("3", "0.1") + line("4", "0.9") + line("6", "0.3") + line("9", "0.4"));
  folder.file("exact_s2.jsonl", line("3", "0.2") + "{\"epoch\":4,\"loss\":2}\n" + line("6", "0.3") + line("9", "0.6"));
  const std::vector<report::Chart> charts = training_charts(folder.runs());
  ASSERT_FALSE(charts.empty());
  EXPECT_EQ(charts[0].name, "optinc-training-accuracy");
  const auto& points = charts[0].series.at(0).points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].first, 6);
  EXPECT_NEAR(points[0].second, 15, 1e-9);
  EXPECT_NEAR(points[2].second, 50, 1e-9);
}

TEST(Training, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_NE(refusal(Folder().run("optink_s1", 0.5)).find("optinc"), std::string::npos);
  EXPECT_NE(refusal(Folder().run("exact", 0.5)).find("case and seed"), std::string::npos);
  EXPECT_NE(refusal(Folder().run("exact_sx", 0.5)).find("case and seed"), std::string::npos);
  EXPECT_NE(refusal(Folder().file("exact_s1.jsonl", "{\"epoch\":1,\"loss\":2}\n{\"epo")).find("exact_s1.jsonl:2"),
            std::string::npos);
  EXPECT_NE(refusal(Folder().file("exact_s1.jsonl", "{\"epoch\":1,\"loss\":null,\"accuracy\":0.1}")).find("'loss'"),
            std::string::npos);
  EXPECT_NE(refusal(Folder().file("exact_s1.jsonl", "{\"epoch\":1,\"loss\":2}")).find("no held-out numbers"),
            std::string::npos);
  EXPECT_NE(refusal(Folder().file("exact_s1.jsonl", "")).find("no held-out numbers"), std::string::npos);
  EXPECT_NE(refusal(Folder().run("exact_s1", 0.5, 1)).find("do not rise"), std::string::npos);
  EXPECT_NE(refusal(Folder().file("exact_s1.json", "{}")).find("without its lines"), std::string::npos);
  EXPECT_NE(
      refusal(Folder().run("exact_s1", 0.5).file("exact_s1.json", R"({"finished":false})")).find("did not finish"),
      std::string::npos);
  EXPECT_NE(refusal(Folder().run("exact_s1", 0.5, 2).run("optinc_s1", 0.5, 3)).find("no pair"), std::string::npos);
}

}  // namespace
}  // namespace helio::studies::optinc_study
