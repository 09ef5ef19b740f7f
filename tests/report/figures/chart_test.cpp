// SPDX-License-Identifier: Apache-2.0
#include "report/figures/chart.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/xml_parts.h"

namespace helio::report {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Chart a_chart() {
  return {.name = "a-chart",
          .title = "Time & more",
          .x_label = "nodes",
          .y_label = "time (ms)",
          .log_x = true,
          .log_y = true,
          .series = {{"ours", {{10, 1}, {1000, 100}}}, {"paper", {{100, 10}}, true}}};
}

// Names in a chart are anybody's, and the picture is XML all the same.
TEST(Chart, AnyNameIsWellFormed) {
  Chart chart = a_chart();
  const std::string name = "\x1b[31m\u202e]]><!--\"'&\xff";
  chart.title = chart.x_label = chart.y_label = chart.series[0].name = name;
  std::size_t shown = 0;
  for (const Part& part : XmlReader(to_svg(chart)).parts) shown += count(part.text, "\\x1b[31m\\u202e]]><!--\"'&\\xff");
  EXPECT_GE(shown, 3u);  // both axes and the legend
}

// One line through our two points, none through what was published; its point is hollow. Each series has one more mark in the legend.
TEST(Chart, OursAreJoinedAndPublishedAreHollow) {
  const std::string svg = to_svg(a_chart());
  EXPECT_EQ(count(svg, "<circle"), 3u);                // shape 0: two points and the legend
  EXPECT_EQ(count(svg, "<polygon"), 2u);               // shape 1: one point and the legend
  EXPECT_EQ(count(svg, "fill=\"none\""), 2u);          // both of these
  EXPECT_EQ(count(svg, "<path class=\"line\""), 2u);   // of ours: the curve and the legend
  EXPECT_EQ(count(svg, "<g class=\"series0\">"), 2u);  // in its colour
  EXPECT_EQ(count(svg, "<g>"), 2u);                    // in the ink of the page
  Chart loose = a_chart();
  loose.series[0].joined = false;
  EXPECT_EQ(count(to_svg(loose), "<path class=\"line\""), 0u);
}

// 10, 100, 1000 on equal log axes: (100, 10) lies half way, at x = (66 + 586) / 2 = 326 and y = (12 + 300) / 2 = 156.
TEST(Chart, PointsLieWhereTheirValuesAre) {
  Chart chart = a_chart();
  chart.series[1].published = false;
  chart.series = {chart.series[1], chart.series[0]};  // a circle has its centre in the text
  EXPECT_NE(to_svg(chart).find("<circle cx=\"326.0\" cy=\"156.0\""), std::string::npos) << to_svg(chart);
}

TEST(Chart, SaysWhatItShows) {
  const std::string svg = to_svg(a_chart());
  for (const char* part :
       {"role=\"img\"", "<title>Time &amp; more</title>", "<desc>time (ms) over nodes: ours; paper</desc>",
        "<title>ours: nodes 1000, time (ms) 100</title>", ">nodes</text>", ">time (ms)</text>", ">1000</text>",
        "currentColor"})
    EXPECT_NE(svg.find(part), std::string::npos) << part << " in\n" << svg;
}

// Few values of x are ticks themselves; where they would overlap, the later one is left out.
TEST(Chart, TicksStandAtTheValuesOfALogAxis) {
  Chart chart = a_chart();
  chart.series = {{"s", {{128, 1}, {3072, 1}, {3080, 1}, {4096, 1}}}};
  const std::string svg = to_svg(chart);
  for (const char* tick : {">128</text>", ">3072</text>", ">4096</text>"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find(">3080</text>"), std::string::npos);
}

// A log axis cannot show 0: the picture leaves the point out, the file keeps it.
TEST(Chart, WhatCannotBeDrawnStaysInTheFile) {
  Chart chart = a_chart();
  chart.series = {{"s", {{1, 0}, {2, 5}, {NAN, 1}}}};
  const std::string svg = to_svg(chart);
  EXPECT_EQ(count(svg, "<circle"), 2u);  // one point and the legend
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(count(to_csv(chart), "\n"), 4u);  // the head and three points
}

TEST(Chart, AnEmptyChartIsStillAPicture) {
  const std::string svg = to_svg({.name = "empty", .title = "t"});
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

// RFC 4180: a field with a comma or a quote is quoted, quotes are doubled. 1/3 reads back as the same double.
TEST(Chart, PointsAreAlsoAFile) {
  Chart chart = a_chart();
  chart.series = {{"a, \"b\"", {{1, 1.0 / 3}}, true}};
  EXPECT_EQ(to_csv(chart), "series,published,nodes,time (ms)\n\"a, \"\"b\"\"\",yes,1,0.3333333333333333\n");
}

// What a figure holds is all of the chart: points bit by bit, and what no JSON number can say stays no number.
TEST(Chart, AFigureCanBecomeAChartAgain) {
  Chart chart = a_chart();
  chart.series[0].points.push_back({1.0 / 3, NAN});
  chart.series[0].labels = {"a", "b", "c"};
  const Figure figure = figure_of(chart);
  EXPECT_EQ(figure.kind, "sweep");
  EXPECT_EQ(figure.words, "time (ms) over nodes, 10 to 1000. ours: 1 to 100; paper: 10.");  // what a log axis shows
  EXPECT_EQ(figure.csv, to_csv(chart));
  ASSERT_TRUE(is_chart(figure));
  const auto text = figure.data.dump();
  const Chart again =
      chart_of({figure.name, figure.kind, figure.title, figure.words, nlohmann::ordered_json::parse(text), ""});
  EXPECT_EQ(again.series[0].points[2].first, 1.0 / 3);
  EXPECT_TRUE(std::isnan(again.series[0].points[2].second));
  EXPECT_EQ(again.series[0].labels, chart.series[0].labels);
  EXPECT_TRUE(again.series[1].published);
  EXPECT_EQ(to_svg(again), to_svg(chart));
}

TEST(Chart, KindsAreFigures) {
  for (const auto& [kind, name] : {std::pair{ChartKind::kCurves, "curves"}, {ChartKind::kScatter, "scatter"}}) {
    Chart chart = a_chart();
    chart.kind = kind;
    EXPECT_EQ(figure_of(chart).kind, name);
    EXPECT_EQ(chart_of(figure_of(chart)).kind, kind);
  }
  EXPECT_FALSE(is_chart({"t", "timeline", "", "", {}, ""}));
}

// Cases have names: in the file instead of their numbers, and below the picture beside them.
TEST(Chart, CasesHaveNames) {
  Chart chart{.name = "c",
              .title = "t",
              .x_label = "wafer",
              .y_label = "ms",
              .series = {{"s", {{1, 3}, {2, 4}}}},
              .cases = {"mesh", "Fred, D"}};
  EXPECT_EQ(to_csv(chart), "series,published,wafer,ms\ns,no,mesh,3\ns,no,\"Fred, D\",4\n");
  EXPECT_EQ(figure_of(chart).kind, "bars");
  EXPECT_EQ(chart_of(figure_of(chart)).cases, chart.cases);
  EXPECT_NE(to_svg(chart).find(">1: mesh, 2: Fred, D</text>"), std::string::npos);
}

TEST(Chart, TheSamePictureEveryTime) { EXPECT_EQ(to_svg(a_chart()), to_svg(a_chart())); }

TEST(Chart, LargeNumbersAreSpelledOutInWords) {
  const Figure figure = figure_of(Chart{.name = "large",
                                        .title = "Large",
                                        .x_label = "nodes",
                                        .y_label = "bytes",
                                        .series = {{.name = "ours", .points = {{1024, 65536}, {2048, 1048576}}}}});
  EXPECT_NE(figure.words.find("65,536 to 1,048,576"), std::string::npos) << figure.words;
}

}  // namespace
}  // namespace helio::report
