// SPDX-License-Identifier: Apache-2.0
#include "report/pages/result_sections.h"

#include <gtest/gtest.h>

#include "report/a_job.h"
#include "report/a_result.h"
#include "report/pages/page_html.h"
#include "report/pages/page_json.h"

namespace helio::report {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ResultSections, ACollectiveHasCardsReasonsAndFacts) {
  const Page page = page_of("t", {{a_result()}}, {});
  ASSERT_EQ(page.sections.size(), 1u);
  const Section& section = page.sections[0];
  EXPECT_EQ(section.title, "");  // the page's own says it
  EXPECT_EQ(section.cards.at(0).value, "3 ms");
  EXPECT_EQ(section.cards.at(1).value, "2.333 x");
  EXPECT_EQ(section.figures.at(0).kind, "stacked");
  const std::string html = to_html(page);
  for (const char* part : {"gradients \\u003cb>", "latency &amp; more", "explicit-sets", "one; two", "remedy endpoint"})
    EXPECT_TRUE(has(html, part)) << part;
  EXPECT_EQ(page.configuration.at(0).owner, "fabric");
}

// 1.5, 0.5 and 8 of 10 s are exposed; the four others are zero and left out.
TEST(ResultSections, AJobShowsItsExposedTimeAndMemory) {
  const Page page = page_of("t", {}, {{a_job()}});
  const Section& section = page.sections.at(0);
  EXPECT_EQ(section.title, "Job: gpt <b>");
  const auto& parts = section.figures.at(0).data.at("parts");
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[0]["values"][0], 8.0);
  EXPECT_EQ(section.figures.at(0).data.at("value_label"), "time (s)");
  EXPECT_EQ(section.figures.at(1).title, "Memory of an NPU: 100 GB in stage 3");
  const std::string html = to_html(page);
  for (const char* part : {"GPT &amp; more", "32.0 %", "NICs of servers, out", "hierarchical-ring", "one; two"})
    EXPECT_TRUE(has(html, part)) << part;
}

TEST(ResultSections, SeveralBeginWithAnOverview) {
  const Page page = page_of("t", {{a_result()}, {a_result()}}, {{a_job()}});
  ASSERT_EQ(page.sections.size(), 4u);
  EXPECT_EQ(page.sections[0].tables.size(), 2u);
  EXPECT_EQ(page.sections[0].tables[0].rows.size(), 2u);
  // two of one name are told apart, so that the page can be read again
  EXPECT_NE(page.sections[1].name, page.sections[2].name);
  EXPECT_NO_THROW(read_page(to_json(page), "x"));
}

TEST(ResultSections, AlternativesStandInATable) {
  pipeline::Result result = a_result();
  result.asked_algorithm = "auto";
  result.alternatives = {{"direct", "infeasible", "no way", std::nullopt, 0}};
  const Section section = section_of("s", ToldResult{result});
  EXPECT_EQ(section.tables.at(0).rows.at(1).at(4).text, "no way");
  EXPECT_EQ(section.tables.at(0).rows.at(0).at(3).text, "fastest");
}

}  // namespace
}  // namespace helio::report
