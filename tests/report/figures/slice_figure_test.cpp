// SPDX-License-Identifier: Apache-2.0
#include "report/figures/slice_figure.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;

// `a` runs on nodes 0 and 1 from 1 s until node 1 fails at 4 s, then on 0 and 2 to the end; `<b>` is refused at 2 s.
SliceChart a_chart() {
  SliceChart chart;
  chart.geometry = {.groups = 2, .nodes_per_group = 2, .channels = 4, .planes = 1};
  chart.jobs = {"a"};
  chart.marks = {{Time::seconds(1), "admit", "a", {}, true, "admit a"},
                 {Time::seconds(2), "admit", "<b>", {}, false, "refused: no room"},
                 {Time::seconds(4), "fail", "a", NodeId{1}, true, "fail node 1"}};
  pipeline::SliceStretch first{.job = 0, .algorithm = "ring", .nodes = {{0}, {1}}};
  first.slice = {{.source_group = 0, .plane = 0, .channel = 3, .destination_group = 1},
                 {.source_group = 0, .plane = 0, .channel = 2, .destination_group = 0, .part = 1}};
  first.parts = 2;
  first.at = Time::seconds(1);
  first.until = Time::seconds(4);
  first.failed = true;
  pipeline::SliceStretch second = first;
  second.nodes = {{0}, {2}};
  second.parts = 1;
  second.at = Time::seconds(4);
  second.until.reset();
  second.failed = false;
  chart.stretches = {first, second};
  chart.lit = {Time::seconds(1.5), Time::seconds(4.5)};
  return chart;
}

// Nothing says when it ends: a tenth past the last, light from 4.5 s on, is 4.95 s.
TEST(SliceFigure, StretchesOverTime) {
  const Figure figure = slice_figure(a_chart());
  EXPECT_EQ(figure.kind, "slices");
  const Json& data = figure.data;
  EXPECT_NEAR(data["end"].get<double>(), 4.95, 1e-12);
  ASSERT_EQ(data["stretches"].size(), 2u);
  EXPECT_EQ(data["stretches"][0]["at"], 1.0);
  EXPECT_EQ(data["stretches"][0]["lit"], 1.5);
  EXPECT_EQ(data["stretches"][0]["end"], 4.0);
  EXPECT_EQ(data["stretches"][1]["end"], data["end"]);
  EXPECT_EQ(data["stretches"][1]["nodes"], Json::parse("[0, 2]"));
  EXPECT_NE(data["stretches"][0]["words"].get<std::string>().find("until 4 s (a node fails)"), std::string::npos);
}

// Of light that is set in turns within a run, the first setting.
TEST(SliceFigure, LightAsItIsSetFirst) {
  EXPECT_EQ(slice_figure(a_chart()).data["stretches"][0]["light"], Json::parse("[0, 0, 3, 1]"));
}

// A job that never ran has a row, too; events point at rows.
TEST(SliceFigure, RefusedJobsHaveRows) {
  const Figure figure = slice_figure(a_chart());
  EXPECT_EQ(figure.data["jobs"], Json::parse(R"(["a", "<b>"])"));
  EXPECT_EQ(figure.data["events"][1]["job"], 1);
  EXPECT_EQ(figure.data["events"][1]["done"], false);
  EXPECT_EQ(figure.data["events"][2]["node"], 1);
  EXPECT_NE(figure.words.find("3 events in 4.95 s, 1 of them refused. a: 2 slices, at most 2 nodes."),
            std::string::npos);
}

// With runs, light is from when it really was, and the words count them.
TEST(SliceFigure, TellsRuns) {
  SliceChart chart = a_chart();
  chart.until = Time::seconds(10);
  pipeline::SliceRuns runs;
  runs.jobs.resize(1);
  runs.jobs[0].stretches = {{.lit = Time::seconds(2), .end = Time::seconds(4), .runs = 7},
                            {.lit = Time::seconds(5), .end = Time::seconds(9), .runs = 9}};
  chart.runs = runs;
  const Json data = slice_figure(chart).data;
  EXPECT_EQ(data["end"], 10.0);
  EXPECT_EQ(data["stretches"][1]["lit"], 5.0);
  EXPECT_NE(data["stretches"][1]["words"].get<std::string>().find("9 runs"), std::string::npos);
}

}  // namespace
}  // namespace helio::report
