// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <gtest/gtest.h>

#include "report/a_result.h"

namespace helio::report {
namespace {

TEST(Html, ThePageStandsAlone) {
  const std::string html =
      to_html({"Title & more", {{"s", "q < r", 2, 2.5, "ours", {"a", "b"}, true, "closed form"}}, {a_result()}});
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  for (const char* part : {"Title &amp; more", "q &lt; r", "gradients &lt;b&gt;", "latency &amp; more", "25 %", "a; b",
                           "prefers-color-scheme: dark"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* outside : {"http:", "https:", "src=", "<script", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
}

TEST(Html, ColumnsAreHeadedByWhatTheyHold) {
  const Row formula{"s", "q", 1, 1, "ours", {}, true, "x", "expected"};
  EXPECT_NE(to_html({"t", {formula}, {}}).find(">expected</th>"), std::string::npos);
  EXPECT_EQ(to_html({"t", {formula}, {}}).find(">published</th>"), std::string::npos);
}

TEST(Html, ChartsStandAboveTheTable) {
  const std::string html = to_html({.title = "t",
                                    .rows = {{"s", "q", 1, 1, "ours", {}, true, "x"}},
                                    .charts = {{.name = "a-sweep", .title = "A < B", .series = {{"s", {{1, 2}}}}}}});
  EXPECT_LT(html.find("<svg class=\"chart\""), html.find("<table>"));
  for (const char* part :
       {"<figcaption>A &lt; B</figcaption>", "<title>A &lt; B</title>", "href=\"a-sweep.csv\"", ".series0"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  for (const char* outside : {"http:", "https:", "src=", "<script", "@import", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_EQ(to_html({"t", {}, {}}).find("series0"), std::string::npos);  // no chart, no style
}

TEST(Html, EmptyTablesAreLeftOut) { EXPECT_EQ(to_html({"nothing", {}, {}}).find("<table>"), std::string::npos); }

// The page says which rows miss what was published: by 0.1 % and by 25 %.
TEST(Html, MatchesAndMissesLookDifferent) {
  EXPECT_NE(to_html({"t", {{"s", "q", 1000, 1001, "ours", {}, true, "x"}}, {}}).find("number good"), std::string::npos);
  EXPECT_NE(to_html({"t", {{"s", "q", 1000, 1250, "ours", {}, true, "x"}}, {}}).find("number bad"), std::string::npos);
}

}  // namespace
}  // namespace helio::report
