// SPDX-License-Identifier: Apache-2.0
#include "report/pages/study_page.h"

#include <gtest/gtest.h>

#include "report/json/json.h"

#include <stdexcept>

#include "report/pages/page_json.h"

namespace helio::report {
namespace {

// Fitted to another number, or to its own.
Row a_row(const char* quantity, double published, double ours, bool predicted = true) {
  return {
      .study = "s",
      .quantity = quantity,
      .published = published,
      .expected = {},
      .ours = ours,
      .assumptions = {{"first", Grade::kFitted, "", {predicted ? -1 : published}}, {"second", Grade::kLiteral, "b"}},
      .source = "a paper"};
}

Row a_derived_row() {
  return {.study = "s",
          .quantity = "derived",
          .published = {},
          .expected = 2,
          .ours = 2,
          .assumptions = {{"second", Grade::kLiteral, "b"}, {"third"}},
          .source = "closed form"};
}

Study a_study(const char* name) {
  Study study{.name = name, .title = "Title", .summary = "summary", .reference = "a paper"};
  study.rows = {a_row("met", 100, 100.2), a_row("missed", 100, 125), a_row("chosen", 100, 100, false)};
  study.rows.push_back(a_derived_row());
  study.headlines = {
      {"met", "what is met", ""}, {"missed", "what is missed", "of a reason"}, {"chosen", "what was chosen", ""}};
  study.charts = {{.name = "sweep", .title = "A sweep"}};
  return study;
}

TEST(StudyPage, VerdictsAreWords) {
  const Headline plain{"q", "w", ""}, reason{"q", "w", "of a reason"};
  EXPECT_EQ(verdict_of(a_row("q", 100, 100.2), plain), "match within 0.2 %");
  EXPECT_EQ(verdict_of(a_row("q", 100, 100), plain), "match to every digit");
  EXPECT_EQ(verdict_of(a_row("q", 100, 100.001), plain), "match within 0.05 %");
  EXPECT_EQ(verdict_of(a_row("q", 100, 100, false), plain), "match to every digit, having used it");
  EXPECT_EQ(verdict_of(a_row("q", 100, 125), reason), "differs by 25 %: of a reason");
}

// No ratio to zero: the difference itself, and nothing but 0 meets it. JSON knows no infinity.
TEST(StudyPage, APublishedZeroIsMetByZeroAlone) {
  const Headline plain{"q", "w", ""}, reason{"q", "w", "of a reason"};
  EXPECT_EQ(a_row("q", 0, -0.004).within(), 0.004);
  EXPECT_FALSE(a_row("q", 0, 0.004).met());
  EXPECT_TRUE(a_row("q", 0, 0).met());
  EXPECT_EQ(verdict_of(a_row("q", 0, 1), plain), "differs by 1");
  EXPECT_EQ(verdict_of(a_row("q", 0, 0.004), reason), "differs by 0.004: of a reason");
  EXPECT_EQ(verdict_of(a_row("q", 0, 0), plain), "match to every digit");
  EXPECT_NE(to_json(std::vector<Row>{a_row("q", 0, 3)}).find("\"within\": 3"), std::string::npos);
}

// Predictions with nothing fitted come first: one of two is met. Of two that were fitted to another number one is met; one used its own
// number; one was derived.
TEST(StudyPage, CardsCountUnfittedPredictionsFirst) {
  Study study = a_study("one");
  for (const double ours : {100., 90.}) {
    study.rows.push_back(a_row("unfitted", 100, ours));
    study.rows.back().assumptions = {{"second", Grade::kLiteral, "b"}};
  }
  const Page page = page_of(study);
  const std::vector<Card>& cards = page.sections.at(0).cards;
  ASSERT_EQ(cards.size(), 4u);
  EXPECT_EQ(cards[0].value, "1 of 2");
  EXPECT_NE(cards[0].label.find("unfitted"), std::string::npos);
  EXPECT_EQ(cards[1].value, "1 of 2");
  EXPECT_EQ(cards[2].value, "1 of 1");
  EXPECT_EQ(cards[3].value, "1 of 1");
}

// Rows by what they stand beside; an assumption stands once, with its grade and the number of rows that
// rest on it: "second" on all four. "first" stands twice, because it was fitted to two numbers.
TEST(StudyPage, EveryRowIsThereWithItsAssumptions) {
  const Page page = page_of(a_study("one"));
  const std::vector<Table>& tables = page.sections.back().tables;
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].rows.size(), 3u);
  EXPECT_EQ(tables[0].columns[1].name, "published");
  EXPECT_EQ(tables[1].columns[1].name, "expected");
  EXPECT_EQ(tables[0].rows[0][7].text, "1, 2");
  EXPECT_EQ(tables[0].rows[2][7].text, "3, 2");
  EXPECT_EQ(tables[1].rows[0][7].text, "2, 4");
  ASSERT_EQ(tables[2].rows.size(), 4u);
  EXPECT_EQ(tables[2].rows[1][1].text, "4");
  EXPECT_EQ(tables[2].rows[1][2].text, "second");
  EXPECT_EQ(tables[2].rows[1][3].text, "literal");
  EXPECT_EQ(tables[2].rows[2][5].text, "100");
  EXPECT_EQ(tables[0].rows[0][3].mark, "good");
  EXPECT_EQ(tables[0].rows[1][3].mark, "bad");
}

// Nobody published what a closed form gives.
TEST(StudyPage, WhatIsOnlyExpectedSaysSo) {
  Study study = a_study("one");
  study.headlines = {{"met", "w", ""}, {"derived", "w", ""}};
  const Table table = page_of(study).sections.at(0).tables.at(0);
  EXPECT_EQ(table.rows.at(0).at(1).text, "100");
  EXPECT_EQ(table.rows.at(1).at(1).text, "2 (expected)");
}

TEST(StudyPage, ASetHasAFrontPageThatLeadsToEach) {
  Study other = a_study("two");
  const std::vector<Page> pages = pages_of({a_study("one"), other});
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].name, "index");
  EXPECT_EQ(pages[1].name, "one");
  // The chart first, then a card for each design, then the table
  ASSERT_EQ(pages[0].sections.size(), 3u);
  const std::vector<Card>& designs = pages[0].sections[1].cards;
  ASSERT_EQ(designs.size(), 2u);
  EXPECT_EQ(designs[1].page, "two");
  EXPECT_EQ(designs[1].value, "100.2 / 100");
  EXPECT_NE(designs[1].note.find("match within 0.2 %"), std::string::npos);
  const Table& headlines = pages[0].sections.at(2).tables.at(0);
  ASSERT_EQ(headlines.rows.size(), 6u);
  EXPECT_EQ(headlines.rows[5][0].page, "two");
  EXPECT_EQ(headlines.rows[1][6].text, "differs by 25 %: of a reason");
  // 100.2, 125 and 100 over 100, twice
  const Chart ratios = chart_of(pages[0].sections.at(0).figures.at(0));
  EXPECT_EQ(ratios.cases.size(), 6u);
  EXPECT_DOUBLE_EQ(ratios.series.at(1).points.at(1).second, 1.25);
  EXPECT_EQ(ratios.series[1].points[0].first, 4);
  for (const Page& page : pages) EXPECT_NO_THROW(read_page(to_json(page), page.name));
}

TEST(StudyPage, OneStudyIsThePageItself) {
  const std::vector<Page> pages = pages_of({a_study("one")});
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].name, "index");
}

TEST(StudyPage, AHeadlineWithoutARowIsOurMistake) {
  Study study = a_study("one");
  study.headlines.push_back({"no such row", "w", ""});
  EXPECT_THROW(page_of(study), std::logic_error);
  study = a_study("one");
  study.headlines[1].because = "";
  EXPECT_THROW(page_of(study), std::logic_error);
}

}  // namespace
}  // namespace helio::report
