// SPDX-License-Identifier: Apache-2.0
#include "report/pages/validation_page.h"

#include <gtest/gtest.h>

#include "report/figures/chart.h"
#include "report/pages/page_html.h"

namespace helio::report {
namespace {

// Errors of +10 and -20 %: 15 % on average, a bias of -5 %.
TEST(ValidationPage, ShowsPredictionsAgainstMeasurements) {
  pipeline::Validation validation{.file = "a <b>.csv",
                                  .kind = "all-reduce",
                                  .rows = {{.line = 2, .what = "8 <b>", .measured_s = 1, .predicted_s = 1.1},
                                           {.line = 3, .what = "16", .measured_s = 2, .predicted_s = 1.6}}};
  validation.refused = {{4, "no such GPU"}};
  validation.fitted_on = {"other.csv"};
  const Page page = page_of(validation);
  const Section& section = page.sections.at(0);
  EXPECT_EQ(section.cards.at(0).value, "15.00 %");
  EXPECT_EQ(section.cards.at(1).value, "15.00 %");  // the median of 10 and 20 %
  EXPECT_EQ(section.cards.at(2).value, "-5.00 %");
  EXPECT_EQ(section.words.at(0), "The farthest off is line 3: 2 s measured, 1.6 s predicted, -20.0 % (16).");
  EXPECT_EQ(section.words.at(1), "Line 4 is not among them: no such GPU.");
  EXPECT_EQ(section.cards.at(5).value, "fitted");
  EXPECT_NE(section.words.at(2).find("fitted on public measurements"), std::string::npos);
  const Figure& figure = section.figures.at(0);
  EXPECT_EQ(figure.kind, "scatter");
  EXPECT_EQ(chart_of(figure).series.at(0).points.at(1), (std::pair{2000.0, 1600.0}));
  EXPECT_EQ(chart_of(figure).series[0].labels.at(0), "line 2: 8 <b>");
  EXPECT_EQ(section.tables.at(0).rows.size(), 2u);
  EXPECT_NE(to_html(page).find("a &lt;b&gt;.csv"), std::string::npos);
}

}  // namespace
}  // namespace helio::report
