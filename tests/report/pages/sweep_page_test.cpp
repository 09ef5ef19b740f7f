// SPDX-License-Identifier: Apache-2.0
#include "report/pages/sweep_page.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/pages/page_html.h"

namespace helio::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Two algorithms on three sizes; the fourth point has no energy, the last no value and is not among them.
Swept six_points() {
  Swept swept{.source = "s.db", .value = "time_s", .against = "energy_j", .asked = 6};
  swept.axes = {{"algorithm", {"ring", "<em>tree"}}, {"bytes", {"1 MB", "10 MB", "1 GB"}}};
  swept.points = {{0, {0, 0}, 4, 1}, {1, {0, 1}, 5, 2}, {2, {0, 2}, 6, 0.5}, {3, {1, 0}, 3, kNone}, {4, {1, 1}, 2, 3}};
  swept.refused = {{"no light", 1}};
  swept.told = {{4, "collective x --bytes '10 MB'", R"({"time_s": 2, "facts": {"steps": 7}, "label": "ours"})", 0.25}};
  return swept;
}

// By value: (2, 3), then (4, 1) and (6, 0.5), which cost less and less; (5, 2) costs more than (4, 1).
TEST(SweepPage, TheFrontHasWhatNothingBeats) {
  EXPECT_EQ(front_of(six_points().points), (std::vector<std::size_t>{4, 0, 2}));
  EXPECT_EQ(worth_telling(six_points()), (std::vector<std::uint64_t>{4, 3, 0, 1, 2}));
}

TEST(SweepPage, PicturesShowTheBestOfEachPlace) {
  const std::vector<Page> pages = pages_of(six_points());
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].lead, "5 of 6 points have an answer, 1 have none.");
  const std::vector<Figure>& figures = pages[0].sections.at(1).figures;
  ASSERT_EQ(figures.size(), 3u);  // along bytes, over both, the front
  EXPECT_EQ(figures[0].data["series"].size(), 2u);
  EXPECT_EQ(figures[0].data["log_x"], true);  // 1 MB to 1 GB
  EXPECT_EQ(figures[1].kind, "heatmap");
  EXPECT_EQ(figures[1].data["cells"].dump(), "[[4.0,5.0,6.0],[3.0,2.0,null]]");
  EXPECT_EQ(figures[1].data["texts"][1][1], "2 s");
}

TEST(SweepPage, APointHasAPageWithAllItSays) {
  const std::vector<Page> pages = pages_of(six_points());
  const Table& all = pages[1].sections.at(0).tables.at(0);
  ASSERT_EQ(all.rows.size(), 3u);
  EXPECT_EQ(all.rows[0][1].text, "2 s");
  EXPECT_EQ(all.rows[1][0].text, "facts.steps");
  EXPECT_EQ(pages[0].sections.at(0).cards.at(0).page, pages[1].name);
  EXPECT_EQ(to_html(pages[1], {}).find("<em>tree"), std::string::npos);
}

TEST(SweepPage, NothingYetIsSaid) {
  const std::vector<Page> pages = pages_of({.source = "s.db", .value = "time_s", .against = {}, .asked = 6});
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].sections.size(), 1u);
}

}  // namespace
}  // namespace helio::report
