// SPDX-License-Identifier: Apache-2.0
#include "report/text/row_text.h"

#include <gtest/gtest.h>

namespace helio::report {
namespace {

Row a_row(const char* study, double ours, const Assumption& assumption = {"a"}) {
  return {.study = study,
          .quantity = "q",
          .published = 1,
          .expected = {},
          .ours = ours,
          .assumptions = {assumption},
          .source = "x"};
}

// What a formula expects is not called published.
TEST(RowText, ColumnsAreHeadedByWhatTheyHold) {
  const Row paper = a_row("a", 1);
  Row formula = a_row("b", 1);
  std::swap(formula.published, formula.expected);
  const std::string both = to_text(std::vector{formula, paper, paper});
  EXPECT_NE(both.find("expected"), std::string::npos);
  EXPECT_LT(both.find("expected"), both.find("published"));
  EXPECT_EQ(both.find("published"), both.rfind("published"));  // one head for neighbours
  EXPECT_EQ(to_text(std::vector{formula}).find("published"), std::string::npos);
  EXPECT_EQ(to_text(std::vector{paper}).find("expected"), std::string::npos);
  EXPECT_TRUE(to_text(std::vector<Row>{}).empty());
}

TEST(RowText, RowsThatAreNotPredictedAreMarked) {
  const std::vector<Row> rows = {a_row("s", 1), a_row("s", 1, {"a", Grade::kFitted, "", {1}})};
  const std::string text = to_text(rows);
  EXPECT_NE(text.find("fitted*"), std::string::npos);
  EXPECT_NE(text.find("not predicted"), std::string::npos);
  EXPECT_EQ(to_text(std::vector<Row>{rows[0]}).find('*'), std::string::npos);
}

// 1 against 1.5 is 0.5: five of ten cells. 1 against 1 is met, and green; 0.5 is not, and yellow.
TEST(RowText, ATerminalIsShownTheDistance) {
  const std::vector<Row> rows = {a_row("s", 1), a_row("s", 1.5)};
  const std::string plain = to_text(rows), text = to_text(rows, {.terminal = true});
  EXPECT_EQ(plain.find('#'), std::string::npos);
  EXPECT_NE(text.find("      0.5  #####       ours"), std::string::npos) << text;
  EXPECT_NE(text.find("        0              ours"), std::string::npos) << text;
  const std::string coloured = inked(to_text(rows, {.terminal = true, .colour = true}), {.colour = true});
  EXPECT_NE(coloured.find("\033[32m        0\033[0m"), std::string::npos) << coloured;
  EXPECT_NE(coloured.find("\033[33m      0.5\033[0m"), std::string::npos) << coloured;
}

// On a log axis 1, 10, 100 are evenly spaced; without one 10 is 9/99 of the way, in the first of eight levels. What has no logarithm is a
// blank.
TEST(RowText, ATerminalIsShownSweeps) {
  Chart chart{.name = "c", .title = "Times", .x_label = "nodes", .y_label = "time (ms)"};
  chart.series = {{.name = "ours", .points = {{1, 1}, {2, 10}, {3, 100}}}, {.name = "a", .points = {}}};
  EXPECT_EQ(to_text(std::vector{chart}, Look{.terminal = true}),
            "\nTimes: time (ms) over nodes\n  ours  __#  1 to 100\n");
  chart.log_y = true;
  chart.series[1].points = {{1, 5}, {2, 0}};
  EXPECT_EQ(to_text(std::vector{chart}, Look{.terminal = true}),
            "\nTimes: time (ms) over nodes\n  ours  _=#  1 to 100\n  a     _    0 to 5\n");
  EXPECT_EQ(to_text(std::vector{chart}, Look{}), "");
}

// Points that no line joins, such as a scatter, are no sweep.
TEST(RowText, ScattersAreLeftOut) {
  Chart chart{.name = "c", .title = "Times", .x_label = "x", .y_label = "y"};
  chart.series = {{.name = "s", .points = {{1, 1}, {2, 2}}, .joined = false}};
  EXPECT_EQ(to_text(std::vector{chart}, Look{.terminal = true}), "");
}

}  // namespace
}  // namespace helio::report
