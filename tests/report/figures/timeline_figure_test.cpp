// SPDX-License-Identifier: Apache-2.0
#include "report/figures/timeline_figure.h"

#include <gtest/gtest.h>

#include "report/a_job.h"

namespace helio::report {
namespace {

using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

Time us(double n) { return Time::microseconds(n); }

// Two steps of 4 us. In the first, links 2 and 10 carry one flow each and link 10 another at the same time; in the second, link 2 does.
pipeline::Result a_collective() {
  pipeline::Result result;
  result.name = "<script>alert(1)</script>";
  result.algorithm = "ring";
  result.fabric = "switch";
  result.time = us(8);
  result.trace = {{"reduce", 0, 0, us(0), us(4), 1},  {"gather", 0, 0, us(4), us(4), 3},
                  {"link 10", 1, 0, us(0), us(3), 1}, {"link 10", 1, 1, us(1), us(3), 1},
                  {"link 2", 1, 2, us(0), us(4), 1},  {"link 2", 1, 0, us(4), us(4), 3}};
  return result;
}

std::vector<std::pair<double, double>> spans_of(const Json& data, std::size_t row) {
  std::vector<std::pair<double, double>> spans;
  for (std::size_t i = data["first"][row]; i < data["first"][row + 1]; ++i)
    spans.emplace_back(data["begin"][i], data["duration"][i]);
  return spans;
}

// A row for the steps, then one for each link: 2 before 10, as numbers. The flows of link 10 overlap from 1 to 3 us: two rows.
TEST(TimelineFigure, RowsAreStepsAndLinks) {
  const Figure figure = *timeline_figure({a_collective()});
  EXPECT_EQ(figure.kind, "timeline");
  const Json& data = figure.data;
  EXPECT_EQ(data["rows"], Json(Texts{"steps", "link 2", "link 10", "link 10 (2)"}));
  EXPECT_EQ(data["groups"], Json::parse(R"([["<script>alert(1)</script>: ring on switch", 4]])"));
  EXPECT_EQ(data["first"], Json::parse("[0, 2, 4, 5, 6]"));
  EXPECT_DOUBLE_EQ(data["end"].get<double>(), 8e-6);
  using Spans = std::vector<std::pair<double, double>>;
  EXPECT_EQ(spans_of(data, 1), (Spans{{0, 4e-6}, {4e-6, 4e-6}}));
  EXPECT_EQ(spans_of(data, 3), (Spans{{1e-6, 3e-6}}));
}

// What a link does is called after the step that goes on: spans of row "link 2" are "reduce" and, for three rounds, "gather".
TEST(TimelineFigure, TransfersAreNamedAfterTheirStep) {
  const Json data = timeline_figure({a_collective()})->data;
  const auto name = [&](std::size_t span) {
    return data["names"][data["name"][span].get<std::size_t>()].get<std::string>();
  };
  EXPECT_EQ(name(2), "reduce");
  EXPECT_EQ(name(3), "gather");
  EXPECT_EQ(data["rounds"][3], 3);
  EXPECT_EQ(data["classes"], Json(Texts{"reduce", "gather"}));
}

// Without calls (dataflow) every bar is a transfer, and is called after the algorithm.
TEST(TimelineFigure, WithoutStepsThereAreOnlyLinks) {
  pipeline::Result result = a_collective();
  result.trace = {{"link 0", 0, 0, us(0), us(4), 1}, {"link 1", 0, 1, us(2), us(4), 1}};
  const Json data = timeline_figure({result})->data;
  EXPECT_EQ(data["rows"], Json(Texts{"link 0", "link 1"}));
  EXPECT_EQ(data["names"], Json(Texts{"ring"}));
  EXPECT_FALSE(data.contains("rounds"));
}

// Sub-rounds are calls inside a step: a template that two phases share is called after both, its sub-rounds after the first.
TEST(TimelineFigure, SubRoundsAreNoLinks) {
  pipeline::Result result = a_collective();
  result.trace = {{"a / b", 0, 0, us(0), us(8), 1},
                  {"a", 1, 0, us(0), us(4), 1},
                  {"a", 1, 0, us(4), us(4), 1},
                  {"link 0", 2, 0, us(0), us(4), 1}};
  EXPECT_EQ(timeline_figure({result})->data["rows"], Json(Texts{"steps", "link 0"}));
}

// Collectives follow each other and jobs come after the last: the second begins at 8 us, the job at 16.
TEST(TimelineFigure, OneClock) {
  const Json data = timeline_figure({a_collective(), a_collective()}, {a_job()})->data;
  EXPECT_DOUBLE_EQ(spans_of(data, 4).front().first, 8e-6);
  EXPECT_DOUBLE_EQ(spans_of(data, 8).front().first, 16e-6 + a_job().trace.front().start.to_seconds());
  EXPECT_EQ(data["groups"].size(), 3u);
}

// Rows of a job as in the trace (job_trace_test.cpp), its bars in classes without numbers.
TEST(TimelineFigure, JobsHaveTheRowsOfTheTrace) {
  pipeline::IterationResult job = a_job();
  job.trace = {
      {"forward 0", 0, 0, us(0), us(3), 1}, {"forward 12", 0, 0, us(3), us(3), 1}, {"send 0", 1, 0, us(3), us(1), 1}};
  job.trace_rows = {"stage 0"};
  const Json data = timeline_figure({}, {job})->data;
  EXPECT_EQ(data["rows"], Json(Texts{"stage 0", "stage 0, sends"}));
  EXPECT_EQ(data["names"], Json(Texts{"forward 0", "forward 12", "send 0"}));
  EXPECT_EQ(data["classes"], Json(Texts{"forward", "send"}));
}

// On a composite the levels come first, the highest on top: bars that touch are one. The first two transfers are on the wafer, from 0 to 4
// without a gap; a third, from 5 to 8, between wafers.
TEST(TimelineFigure, LevelsOfACompositeComeFirst) {
  pipeline::Result result = a_collective();
  result.composite =
      fabric::LevelsPicture{{{.name = "wafer", .fabric = "fred"}, {.name = "between", .fabric = "ring"}}};
  result.trace = {
      {"link 0", 0, 0, us(0), us(3), 1, 1}, {"link 1", 0, 1, us(2), us(2), 1, 1}, {"link 2", 0, 0, us(5), us(3), 1, 2}};
  const Json data = timeline_figure({result})->data;
  EXPECT_EQ(data["groups"][0], Json::parse(R"(["levels of the composite", 2])"));
  EXPECT_EQ(data["rows"][0], "between, ring");
  EXPECT_EQ(data["rows"][1], "wafer, ring");
  using Spans = std::vector<std::pair<double, double>>;
  EXPECT_EQ(spans_of(data, 0), (Spans{{5e-6, 3e-6}}));
  EXPECT_EQ(spans_of(data, 1), (Spans{{0, 4e-6}}));
}

// Of a job, a row for each class of work that goes over a level; what goes over two stands in both.
TEST(TimelineFigure, LevelsOfAJobByClass) {
  pipeline::IterationResult job = a_job();
  job.composite = fabric::LevelsPicture{{{.name = "wafer", .fabric = "fred"}, {.name = "between", .fabric = "ring"}}};
  job.trace = {{"forward 0", 0, 0, us(0), us(3), 1, 0},
               {"reduce 0", 0, 0, us(3), us(3), 1, 3},
               {"reduce 1", 0, 0, us(7), us(1), 1, 1}};
  job.trace_rows = {"stage 0"};
  const Json data = timeline_figure({}, {job})->data;
  EXPECT_EQ(data["rows"], Json(Texts{"between, reduce", "wafer, reduce", "stage 0"}));
  using Spans = std::vector<std::pair<double, double>>;
  EXPECT_EQ(spans_of(data, 1), (Spans{{3e-6, 3e-6}, {7e-6, 1e-6}}));
}

TEST(TimelineFigure, SaysWhatIsMissing) {
  EXPECT_FALSE(timeline_figure({}).has_value());
  pipeline::Result result = a_collective();
  EXPECT_EQ(timeline_figure({result})->words.find("too long"), std::string::npos);
  EXPECT_EQ(timeline_figure({result})->data["cut"], false);
  result.trace_cut = true;
  EXPECT_NE(timeline_figure({result})->words.find("too long"), std::string::npos);
  EXPECT_EQ(timeline_figure({result})->data["cut"], true);
}

// 100,000 bars in a few megabytes: 40 bytes each at most. Times are kept to 1e-10 of the whole. Past the limit there is no CSV.
TEST(TimelineFigure, IsCompact) {
  pipeline::Result result = a_collective();
  result.trace.clear();
  for (int i = 0; i < 100000; ++i)
    result.trace.push_back({"link " + std::to_string(i % 100), 0, 0, us(i / 100 * 3.1415926535), us(2.7182818284), 1});
  result.time = us(1000 * 3.1415926535);
  const Figure figure = *timeline_figure({result});
  EXPECT_LT(figure.data.dump().size(), 4'000'000u);
  EXPECT_TRUE(figure.csv.empty());
  const double whole = result.time.to_seconds();
  EXPECT_NEAR(figure.data["begin"][777].get<double>(), 777 * 3.1415926535e-6, 1e-10 * whole);
  EXPECT_FALSE(timeline_figure({a_collective()})->csv.empty());
}

}  // namespace
}  // namespace helio::report
